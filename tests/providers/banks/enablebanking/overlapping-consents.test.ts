import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addNotification } from '../../../banking/customer.ts';
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

setUpHousehold();
beforeAll(() => registerAddress());
beforeEach(async () => {
  enable.control.clearFaults();
  await signUpWithKey();
});

const hashes = () => enable.control.accounts('Banque du Littoral').map(({ hash }) => hash);
const silence = (sessionId = '') =>
  enable.control.addFault({ kind: 'drop', path: `/sessions/${sessionId}` });

/** Gives a consent about which Enable Banking answers nothing; the others are read. */
async function consentInSilence(address: string, chosen: string[]): Promise<void> {
  silence();
  await comeBack(address, 'allow', chosen);
  enable.control.clearFaults();
  silence(enable.control.sessions().at(-1)?.id);
  await app.services.bankRefreshes.refresh(ana.id, 'enablebanking');
}

test('an account stays where it is while a new consent that opens it too has never answered', async () => {
  const [current = '', savings = '', card = ''] = hashes();
  await comeBack(await depart(), 'allow', [current, savings]);
  const before = await accounts();
  await consentInSilence(await depart(), [current, card]);
  expect(await items()).toMatchObject([{ state: 'ok' }]);
  expect(await accounts()).toEqual(before);
});

test('an account stays where it is while a renewed consent that opens it too does not answer', async () => {
  const [current = '', savings = '', card = ''] = hashes();
  await comeBack(await depart(), 'allow', [current, card]);
  await comeBack(await depart(), 'allow', [current, savings]);
  const before = await accounts();
  const [first] = await items();
  const { body } = await ana.get(`/bridge/items/edit/${first.id}`);
  await consentInSilence(body.redirect_url, [current, card]);
  expect(await items()).toMatchObject([{ state: 'unreachable' }, { state: 'ok' }]);
  expect((await accounts()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const messenger = await addNotification(app, ana, { message: 'Total\u202f: {{total}}' });
  const { text } = (await ana.post(`/messengers/${messenger}/preview`, { message: '{{total}}' }))
    .body;
  expect(text).toContain('1\u202f520,50');
});
