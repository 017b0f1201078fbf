import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../../src/server/providers/banks/files/adapter.ts';
import type { BankSource } from '../../../src/server/providers/banks/port.ts';
import { accountIdOf, addCustomer, connectionIdOf } from '../../banking/customer.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { connectSlack } from '../../support/slack.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

/** Ana with a bank that was read, and a notification. */
async function setUp() {
  const { person: ana, itemId, accounts } = await addCustomer(app);
  const messenger = await connectSlack(app, ana, 'T0FONTAINE');
  await ana.get('/bridge/items?fresh=1');
  const account = await accountIdOf(app, accounts[0]);
  const path = `/messengers/${messenger.id}/alerts`;
  return { ana, itemId, accounts, messenger, account, path };
}

const below = (account: number | null, amount: number) => ({
  ...{ kind: 'below', account, amount, currency_code: 'EUR' },
});

describe('alerts', () => {
  it('are added, listed, changed and deleted, and the page knows what there is to watch', async () => {
    const { ana, account, path } = await setUp();
    const empty = (await ana.get(path)).body;
    expect(empty).toMatchObject({ alerts: [], most: 20, currencies: ['EUR'] });
    expect(empty.accounts).toHaveLength(2);
    expect(empty.accounts[0]).toMatchObject({ id: account, currency_code: 'EUR' });
    const added = await ana.post(path, below(account, 100));
    expect(added).toMatchObject({
      status: 201,
      body: {
        ...{ kind: 'below', account: { id: account }, amount: 100, state: 'armed' },
        ...{ rearmed: 110, crossedDate: null, readEveryMinutes: 60 },
      },
    });
    app.clock.advance({ seconds: 1 });
    await ana.post(path, { ...below(null, 250.5), kind: 'movement' });
    const { alerts } = (await ana.get(path)).body;
    expect(alerts).toMatchObject([
      { id: added.body.id },
      { account: null, amount: 250.5, rearmed: null, readEveryMinutes: 60 },
    ]);
    const changed = await ana.patch(`${path}/${added.body.id}`, below(null, 1_000_000));
    expect(changed).toMatchObject({ status: 200, body: { account: null, state: 'crossed' } });
    expect((await ana.delete(`${path}/${added.body.id}`)).status).toBe(204);
    expect((await ana.delete(`${path}/${added.body.id}`)).status).toBe(404);
    expect((await ana.get(path)).body.alerts).toHaveLength(1);
  });

  it('are added and changed under an id in capitals too', async () => {
    const { ana, account, messenger } = await setUp();
    const path = `/messengers/${messenger.id.toUpperCase()}/alerts`;
    const added = await ana.post(path, below(account, 100));
    expect(added.status).toBe(201);
    const changed = await ana.patch(`${path}/${added.body.id.toUpperCase()}`, below(null, 100));
    expect(changed).toMatchObject({ status: 200, body: { account: null } });
    expect((await ana.get(path)).body.alerts).toHaveLength(1);
  });

  it('are refused with a sentence where they could tell nothing', async () => {
    const { ana, account, path } = await setUp();
    const refused = async (rule: object, status: number, message: RegExp) => {
      const { body, status: got } = await ana.post(path, rule);
      expect([got, body.message]).toEqual([status, expect.stringMatching(message)]);
    };
    await refused(below(999_999, 5), 422, /n'existe pas/);
    await refused({ ...below(account, 0), kind: 'movement' }, 422, /plus grand que zéro/);
    await refused({ ...below(account, -5), kind: 'movement' }, 422, /plus grand que zéro/);
    await refused({ ...below(null, 5), currency_code: 'USD' }, 422, /devise/);
    await refused({ ...below(account, 5), currency_code: 'USD' }, 422, /Ce compte est en EUR/);
    await refused(below(account, 12.345), 422, /EUR a deux décimales au plus/);
    await refused({ ...below(account, 5), kind: 'above' }, 422, /valide/);
    await refused({ ...below(account, 5), amount: '5' }, 422, /valide/);
    expect((await ana.post(path, below(account, -200))).status).toBe(201);
    app.clock.advance({ seconds: 1 });
    await refused(below(account, -200), 409, /déjà cette alerte/);
    for (let amount = 1; amount < 20; amount += 1) await ana.post(path, below(account, amount));
    await refused(below(account, 5000), 409, /20 alertes/);
    const { alerts } = (await ana.get(path)).body;
    expect(alerts).toHaveLength(20);
    const [first, second] = alerts;
    const same = await ana.patch(`${path}/${first.id}`, below(account, second.amount));
    expect(same).toMatchObject({ status: 409, body: { code: 'Alert_Exists' } });
    expect((await ana.patch(`${path}/${first.id}`, below(account, -200))).status).toBe(200);
  });

  it('two requests at once add no alert twice and none beyond the most', async () => {
    const { ana, account, path } = await setUp();
    const twice = await Promise.all([1, 2].map(() => ana.post(path, below(account, 7))));
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
    const amounts = Array.from({ length: 25 }, (_, index) => 100 + index);
    await Promise.all(amounts.map((amount) => ana.post(path, below(account, amount))));
    expect((await ana.get(path)).body.alerts).toHaveLength(20);
  });

  it('of somebody else do not exist', async () => {
    const { ana, account, path } = await setUp();
    const eve = await setUp();
    const { body } = await ana.post(path, below(account, 5));
    const hers = `${path}/${body.id}`;
    expect((await eve.ana.get(path)).status).toBe(404);
    expect((await eve.ana.post(path, below(eve.account, 5))).status).toBe(404);
    expect((await eve.ana.patch(hers, below(eve.account, 5))).status).toBe(404);
    expect((await eve.ana.delete(hers)).status).toBe(404);
    // Under her own notification, neither the account nor the alert of another.
    expect((await eve.ana.post(eve.path, below(account, 5))).status).toBe(422);
    const through = `${eve.path}/${body.id}`;
    expect((await eve.ana.patch(through, below(eve.account, 5))).status).toBe(404);
    expect((await eve.ana.delete(through)).status).toBe(404);
    for (const id of ['null', '1', body.id.toUpperCase(), '%00']) {
      expect((await ana.delete(`${path}/${id}`)).status).not.toBe(500);
    }
  });

  it('leave with their account, their notification and their owner, who takes them home', async () => {
    const { ana, itemId, messenger, account, path } = await setUp();
    await ana.post(path, below(account, 5));
    app.clock.advance({ seconds: 1 });
    await ana.post(path, below(null, 6));
    const { body: file } = await ana.get('/users/me/export');
    expect(file.alerts).toMatchObject([
      { messenger: { id: messenger.id }, account: { id: account }, amount: 5, crossings: [] },
      { messenger: { id: messenger.id }, account: null, amount: 6 },
    ]);
    await ana.delete(`/bridge/items/${await connectionIdOf(app, itemId)}`);
    expect((await ana.get(path)).body).toMatchObject({ alerts: [{ amount: 6 }], accounts: [] });
    await ana.delete(`/messengers/${messenger.id}`);
    const left = await app.services.database.sql
      .selectFrom('alerts')
      .selectAll()
      .where('user_id', '=', ana.id)
      .execute();
    expect(left).toEqual([]);
  });

  it('say that nothing is watched while the bank does not list their account', async () => {
    const { ana, accounts, account, path } = await setUp();
    await ana.post(path, below(account, 5));
    await ana.post(path, { ...below(account, 6), kind: 'movement' });
    const states = async () =>
      (await ana.get(path)).body.alerts.map(({ state }: { state: string }) => state);
    app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'disabled' });
    await ana.get('/bridge/items?fresh=1');
    expect(await states()).toEqual(['unlisted', 'unlisted']);
    app.bank.control.setAccount(accounts[0] ?? 0, { data_access: 'enabled' });
    await ana.get('/bridge/items?fresh=1');
    expect(await states()).toEqual(['armed', 'armed']);
  });

  it('watch no account whose balances come from a file, and no total of such accounts alone', async () => {
    const { ana, account, path } = await setUp();
    const bankSources = app.services.bankSources as Map<string, BankSource>;
    bankSources.set('files', createFiles());
    const fromFile = () =>
      app.services.database.sql
        .updateTable('bank_accounts')
        .set({ source: 'files' })
        .where('user_id', '=', ana.id);
    const refused = { code: 'Invalid_Alert', message: expect.stringMatching(/fichier/) };
    await fromFile().where('id', '=', account).execute();
    expect((await ana.post(path, below(account, 5))).body).toMatchObject(refused);
    const { accounts } = (await ana.get(path)).body;
    expect(accounts.map(({ id }: { id: number }) => id)).not.toContain(account);
    expect((await ana.post(path, below(null, 5))).status).toBe(201);
    await fromFile().execute();
    expect((await ana.post(path, below(null, 6))).body).toMatchObject(refused);
    bankSources.delete('files');
  });
});
