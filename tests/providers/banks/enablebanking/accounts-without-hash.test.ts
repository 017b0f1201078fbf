import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSecret } from '../../../../src/server/banking/source-links/queries.ts';
import {
  accounts,
  ana,
  app,
  comeBack,
  depart,
  enable,
  items,
  registerAddress,
  setUpHousehold,
  signUpWithKey,
} from './household.ts';

/** Accounts that their bank gives no hash, and of which two in different currencies have one IBAN. */
const iban = 'FR7610278060000002044740123';
setUpHousehold();
beforeAll(() => registerAddress());
beforeEach(async () => {
  await signUpWithKey();
  for (const [index, currency] of ['EUR', 'USD'].entries()) {
    const override = { identification_hash: null };
    const told = { type: 'CACC', details: `Compte ${currency}`, currency, iban, override };
    enable.control.setAccount(hashes()[index] ?? '', told);
  }
});

const hashes = () => enable.control.accounts('Banque du Littoral').map(({ hash }) => hash);
const names = async () => (await accounts()).map(({ name }) => name);

test('two currencies under one IBAN are two accounts', async () => {
  await comeBack(await depart(), 'allow', hashes().slice(0, 2));
  expect(await names()).toEqual(['Compte EUR', 'Compte USD']);
});

test('an account that was stored under the hash of its number alone stays the same one', async () => {
  const chosen = hashes().slice(0, 1);
  await comeBack(await depart(), 'allow', chosen);
  const [before] = await accounts();
  const earlier = createHash('sha256').update(`${ana.id} ${iban}`).digest('hex');
  await changeSecret(app.services, ana.id, 'enablebanking', (secret) => {
    const { consents, ...rest } = JSON.parse(secret ?? '');
    const [{ accounts: opened, ...consent }] = consents;
    const renamed = [{ ...consent, accounts: [{ ...opened[0], id: earlier }] }];
    return JSON.stringify({ ...rest, consents: renamed });
  });
  await app.services.database.sql
    .updateTable('bank_accounts')
    .set({ source_id: earlier })
    .where('user_id', '=', ana.id)
    .execute();
  const [{ id }] = await items();
  const { body } = await ana.get(`/bridge/items/edit/${id}`);
  await comeBack(body.redirect_url, 'allow', chosen);
  const stored = await app.services.database.sql
    .selectFrom('bank_accounts')
    .select(['id', 'source_id'])
    .where('user_id', '=', ana.id)
    .execute();
  expect(stored).toEqual([{ id: before?.id, source_id: expect.not.stringMatching(earlier) }]);
  expect(await names()).toEqual(['Compte EUR']);
});
