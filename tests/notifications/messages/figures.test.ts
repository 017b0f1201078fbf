import { afterAll, beforeAll, expect, test } from 'vitest';
import { figuresOf } from '../../../src/server/notifications/messages/figures.ts';
import { addCustomer, addNotification, connectionIdOf } from '../../banking/customer.ts';
import { type Application, startApplication } from '../../support/application.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
afterAll(() => app.close());

async function choose(userId: string, messengerId: string, accountId: number, included: boolean) {
  await app.services.database.sql
    .insertInto('messenger_accounts')
    .values({ user_id: userId, messenger_id: messengerId, account_id: accountId, included })
    .execute();
}

test('a message may speak of every checking account, with the hour of each figure', async () => {
  const { person, itemId, accounts } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const messengerId = await addNotification(app, person);
  const figures = await figuresOf(app.services.database.sql, [{ userId: person.id, messengerId }]);
  const { connections, accounts: told } = figures(messengerId);
  expect(connections).toMatchObject([
    { id: await connectionIdOf(app, itemId), state: 'ok', name: 'Banque du Littoral' },
  ]);
  const { body } = await person.get('/bridge/accounts?types[]=checking');
  expect(told.map(({ id }) => id)).toEqual(body.map(({ id }: { id: number }) => id));
  expect(accounts.length).toBeGreaterThan(told.length);
  expect(told[0]).toEqual({
    id: body[0].id,
    connectionId: await connectionIdOf(app, itemId),
    name: 'Compte courant',
    balanceMinor: Math.round(body[0].balance * 100),
    currency: 'EUR',
    updatedAt: new Date(body[0].updated_at),
    ibanFingerprint: body[0].iban_print,
    covered: true,
    bank: { name: 'Banque du Littoral' },
  });
});

test('accounts of one connection keep their own moments and banks', async () => {
  const { person } = await addCustomer(app);
  await person.get('/bridge/accounts');
  const messengerId = await addNotification(app, person);
  const { sql: database } = app.services.database;
  const given = [new Date('2026-01-12T07:00:00Z'), null, new Date('2026-01-11T22:40:00Z')];
  const names = ['Banque du Littoral', 'Banque du Large', 'Banque du Littoral'];
  const stored = await database
    .selectFrom('bank_accounts')
    .select('id')
    .where('user_id', '=', person.id)
    .orderBy('id')
    .limit(3)
    .execute();
  for (const [at, { id }] of stored.entries()) {
    await database
      .updateTable('bank_accounts')
      .set({ type: 'checking', updated_at: given[at] ?? null, bank_name: names[at] ?? '' })
      .where('user_id', '=', person.id)
      .where('id', '=', id)
      .execute();
  }
  const figures = await figuresOf(database, [{ userId: person.id, messengerId }]);
  const told = figures(messengerId).accounts.slice(0, 3);
  expect(told.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  expect(told.map(({ updatedAt }) => updatedAt)).toEqual(given);
  expect(told.map(({ bank }) => bank.name)).toEqual(names);
});

test('chosen accounts are those chosen, and new ones as the user says', async () => {
  const { person } = await addCustomer(app);
  const { body } = await person.get('/bridge/accounts?types[]=checking');
  const [first, second] = body.map(({ id }: { id: number }) => id);
  const strict = await addNotification(app, person, { scope: 'chosen', includesNew: false });
  const open = await addNotification(app, person, { scope: 'chosen', includesNew: true });
  await choose(person.id, strict, first, true);
  await choose(person.id, open, first, false);
  const keys = [strict, open].map((messengerId) => ({ userId: person.id, messengerId }));
  const figures = await figuresOf(app.services.database.sql, keys);
  const covered = (messengerId: string) =>
    figures(messengerId).accounts.flatMap(({ id, covered }) => (covered ? [id] : []));
  expect([covered(strict), covered(open)]).toEqual([[first], [second]]);
});

test('the figures of many are read at once, and nobody gets those of another', async () => {
  const customers = [await addCustomer(app), await addCustomer(app)];
  const keys = [];
  for (const { person } of customers) {
    await person.get('/bridge/accounts');
    keys.push({ userId: person.id, messengerId: await addNotification(app, person) });
  }
  const stranger = await app.signUp();
  keys.push({ userId: stranger.id, messengerId: await addNotification(app, stranger) });
  const mixed = { userId: stranger.id, messengerId: keys[0]?.messengerId ?? '' };
  const figures = await figuresOf(app.services.database.sql, keys);
  expect(
    keys.map(({ messengerId }) => figures(messengerId).connections.map(({ id }) => id)),
  ).toEqual([
    [await connectionIdOf(app, customers[0]?.itemId)],
    [await connectionIdOf(app, customers[1]?.itemId)],
    [],
  ]);
  const foreign = await figuresOf(app.services.database.sql, [mixed]);
  expect(foreign(mixed.messengerId)).toMatchObject({ connections: [], accounts: [] });
  expect((await figuresOf(app.services.database.sql, []))('none')).toMatchObject({
    connections: [],
    accounts: [],
  });
});
