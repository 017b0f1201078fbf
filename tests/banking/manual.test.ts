import { afterAll, beforeAll, expect, test } from 'vitest';
import { files } from '../../src/server/providers/banks/files/definition.ts';
import { manual } from '../../src/server/providers/banks/manual/definition.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';
import { addNotification } from './customer.ts';

/** An account whose figures are typed, told in order: each test goes on where the last one ended. */
const clock = manualClock('2026-11-20T15:00:00Z');
let app: Application;
let ana: Person;
beforeAll(async () => {
  const bankSources = [files.configure({}) ?? [], manual.configure({}) ?? []].flat();
  app = await startApplication({ clock, configuration: { bankSources } });
  ana = await app.signUp();
});
afterAll(() => app.close());

const path = '/banks/sources/manual/accounts';
const shown = async (person = ana) => (await person.get('/bridge/accounts?types[]=checking')).body;
const history = async (id: number) =>
  (await ana.get(`/bridge/accounts/${id}/balances?days=400`)).body.map(
    ({ day, balance }: { day: string; balance: number }) => [day, balance],
  );
const till = { name: 'Caisse', currency_code: 'EUR', balance: 120.5, day: '2026-11-20' };
let id: number;

test('is offered, and asks for nothing elsewhere', async () => {
  expect((await ana.get('/banks/sources')).body).toContainEqual(
    expect.objectContaining({ source: 'manual', connect: { kind: 'manual' } }),
  );
});

test('an account is added with its figure, which is as of now if it is of today', async () => {
  const { status, body } = await ana.post(path, till);
  expect([status, body]).toEqual([
    201,
    { id: expect.any(Number), name: 'Caisse', currency_code: 'EUR', balance: 120.5 },
  ]);
  id = body.id;
  expect(await shown()).toMatchObject([
    {
      ...{ id, name: 'Caisse', balance: 120.5, bank: { name: 'Saisie manuelle' } },
      updated_at: '2026-11-20T15:00:00.000Z',
    },
  ]);
  expect((await ana.get('/bridge/items')).body).toMatchObject([{ form: 'manual', state: 'ok' }]);
});

test('the same account is not added twice: an answer may have been lost', async () => {
  const again = await ana.post(path, till);
  expect([again.status, again.body.code, again.body.message]).toEqual([
    ...[409, 'Manual_Account_Exists'],
    'Vous avez déjà ce compte, avec ce solde ce jour-là. Pour en ajouter un autre, donnez-lui un autre nom.',
  ]);
  expect(await shown()).toHaveLength(1);
  for (const other of [
    { name: 'Coffre' },
    { currency_code: 'USD' },
    { balance: 1 },
    { day: '2026-11-19' },
  ]) {
    const added = await ana.post(path, { ...till, ...other });
    expect(added.status).toBe(201);
    await ana.delete(`${path}/${added.body.id}`);
  }
  const bea = await app.signUp();
  expect((await bea.post(path, till)).status).toBe(201);
});

test('a figure of another day enters the history, and replaces no newer one', async () => {
  await ana.patch(`${path}/${id}`, { figure: { day: '2026-11-10', balance: 80 } });
  expect(await shown()).toMatchObject([{ balance: 120.5, updated_at: '2026-11-20T15:00:00.000Z' }]);
  expect(await history(id)).toEqual([
    ['2026-11-10', 80],
    ['2026-11-20', 120.5],
  ]);
});

test('the figure of a day is corrected, on that day and later', async () => {
  clock.set('2026-11-22T09:00:00Z');
  const { body } = await ana.patch(`${path}/${id}`, {
    ...{ name: 'Caisse du marché', figure: { day: '2026-11-20', balance: -12.3 } },
  });
  expect(body).toMatchObject({ name: 'Caisse du marché', balance: -12.3 });
  // No hour is known of it any more: the beginning of its day is never later than the owner's word.
  expect(await shown()).toMatchObject([{ balance: -12.3, updated_at: '2026-11-20T00:00:00.000Z' }]);
});

test('a figure is taken back, and the one before it shows again; the only one stays', async () => {
  const { body } = await ana.delete(`${path}/${id}/figures/2026-11-20`);
  expect(body).toMatchObject({ balance: 80 });
  expect(await history(id)).toEqual([['2026-11-10', 80]]);
  const only = await ana.delete(`${path}/${id}/figures/2026-11-10`);
  expect([only.status, only.body.code]).toEqual([422, 'Figure_Refused']);
  const none = await ana.delete(`${path}/${id}/figures/2026-11-11`);
  expect([none.status, none.body.code]).toEqual([404, 'Not_Found']);
  expect(await history(id)).toEqual([['2026-11-10', 80]]);
});

test.for([
  [{ ...till, currency_code: 'XQQ' }, 422],
  [{ ...till, day: '2026-11-23' }, 422],
  [{ ...till, day: '2025-01-01' }, 422],
  [{ ...till, day: '2026-02-30' }, 400],
  [{ ...till, balance: 1e13 }, 400],
  [{ ...till, name: '  ' }, 400],
  [{ ...till, currency_code: 'eur' }, 400],
] as const)('%j is refused with %s', async ([body, status]) => {
  expect((await ana.post(path, body)).status).toBe(status);
  expect(await shown()).toHaveLength(1);
});

test('a day that the database does not know is refused in an address', async () => {
  expect((await ana.delete(`${path}/${id}/figures/0000-01-01`)).status).toBe(400);
});

test.for([
  [{ ...till, currency_code: 'JPY', balance: 12.5 }, "Un montant en JPY n'a pas de décimales."],
  [{ ...till, balance: 12.345 }, 'Un montant en EUR a deux décimales au plus.'],
] as const)('%j is not rounded: %s', async ([body, message]) => {
  const refused = await ana.post(path, body);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    ...[422, 'Figure_Refused', message],
  ]);
  const figure = { day: '2026-11-20', balance: 12.345 };
  expect((await ana.patch(`${path}/${id}`, { figure })).status).toBe(422);
  expect(await shown()).toMatchObject([{ balance: 80 }]);
});

test('the figure of an unknown account is refused', async () => {
  const figure = { day: '2026-11-20', balance: 1 };
  expect((await ana.patch(`${path}/999999`, { figure })).status).toBe(404);
});

test('nobody sees, changes or removes the account of somebody else', async () => {
  const eve = await app.signUp();
  expect(await shown(eve)).toEqual([]);
  const figure = { day: '2026-11-20', balance: 1 };
  const tried = [
    await eve.patch(`${path}/${id}`, { name: 'À moi', figure }),
    await eve.delete(`${path}/${id}/figures/2026-11-10`),
    await eve.delete(`${path}/${id}`),
  ];
  expect(tried.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await app.visitor.post(path, till)).status).toBe(401);
  expect(await shown()).toMatchObject([{ name: 'Caisse du marché', balance: 80 }]);
});

test('an account is removed alone, and the card with the last one', async () => {
  const { body: second } = await ana.post(path, {
    ...{ ...till, name: 'Livret', currency_code: 'JPY', balance: 120 },
  });
  expect((await ana.delete(`${path}/${id}`)).status).toBe(204);
  expect(await shown()).toMatchObject([{ id: second.id, currency_code: 'JPY' }]);
  expect((await ana.delete(`${path}/${second.id}`)).status).toBe(204);
  expect((await ana.get('/bridge/items')).body).toEqual([]);
  expect((await ana.delete(`${path}/${second.id}`)).status).toBe(404);
});

test('the card is removed with all its accounts', async () => {
  await ana.post(path, till);
  const [card] = (await ana.get('/bridge/items')).body;
  expect((await ana.delete(`/bridge/items/${card.id}`)).status).toBe(204);
  expect(await shown()).toEqual([]);
});

test('a day that has begun ahead of Paris is taken, and its figure stands under the day of Paris', async () => {
  // 08:00 of the 28th in Nouméa.
  clock.set('2026-11-27T21:00:00Z');
  const tomorrow = await ana.post(path, { ...till, day: '2026-11-29' });
  expect([tomorrow.status, tomorrow.body.message]).toEqual([
    ...[422, "Cette date n'est pas encore venue."],
  ]);
  const typed = await ana.post(path, { ...till, day: '2026-11-28' });
  expect(typed.status).toBe(201);
  expect(await history(typed.body.id)).toEqual([['2026-11-27', 120.5]]);
  const names = JSON.stringify([{ bank: 'BCI', name: 'Courant' }]);
  const imported = await ana.send(
    'POST',
    `/banks/sources/files/statements?${new URLSearchParams({ names })}`,
    {
      headers: { 'content-type': 'application/octet-stream' },
      body: 'Date;Libellé;Montant;Solde\n27/11/2026;A;-10,00;1 234\n28/11/2026;B;5;1 239\n',
    },
  );
  expect(imported.status).toBe(201);
  expect(await shown()).toMatchObject([
    { balance: 120.5, updated_at: '2026-11-27T21:00:00.000Z' },
    { balance: 1239, updated_at: '2026-11-27T21:00:00.000Z' },
  ]);
  expect(await history((await shown())[1].id)).toEqual([['2026-11-27', 1239]]);
});

test('a message goes on to mean an account that its owner renames, and no other', async () => {
  const cam = await app.signUp();
  const added = await cam.post(path, till);
  await cam.post(path, { ...till, name: 'Livret', balance: 7 });
  const message = 'Caisse : {{solde: caisse }}, livret : {{solde:Livret}}';
  const messenger = await addNotification(app, cam, { message });
  // As it was written before variables existed.
  const literal = await addNotification(app, cam, { message });
  await app.services.database.sql
    .updateTable('messengers')
    .set({ variables: false })
    .where('id', '=', literal)
    .execute();
  const text = async (of = messenger) =>
    (await cam.get('/users/me')).body.messengers.find((one: { id: string }) => one.id === of)
      .message;
  const rename = (name: string) => cam.patch(`${path}/${added.body.id}`, { name });
  await rename('Caisse du marché');
  expect(await text()).toBe('Caisse : {{solde:Caisse du marché}}, livret : {{solde:Livret}}');
  expect(await text(literal)).toBe(message);
  // A name that the other account has as well.
  await rename('Livret');
  const [, first, second] = /\((\d+)\).*\((\d+)\)/.exec(await text()) ?? [];
  const ofBank = 'Saisie manuelle/Livret';
  expect(await text()).toBe(
    `Caisse : {{solde:${ofBank} (${first})}}, livret : {{solde:${ofBank} (${second})}}`,
  );
  expect(first).toBe(String(added.body.id));
  const { body } = await cam.post(`/messengers/${messenger}/preview`, { message: await text() });
  expect(body.text).toMatch(/^Caisse : 120,50.€ .*, livret : 7,00.€/);
});

test('a message goes on to mean an account beside which another of its name is added', async () => {
  const dee = await app.signUp();
  const added = await dee.post(path, till);
  const messenger = await addNotification(app, dee, { message: '{{solde:caisse}}' });
  await dee.post(path, { ...till, balance: 7 });
  const { body } = await dee.get('/users/me');
  const [{ message }] = body.messengers;
  expect(message).toBe(`{{solde:Saisie manuelle/Caisse (${added.body.id})}}`);
  const preview = await dee.post(`/messengers/${messenger}/preview`, { message });
  expect(preview.body.text).toMatch(/^120,50.€/);
});

test('a hundred accounts fit, and one more is refused in words', async () => {
  const bo = await app.signUp();
  for (let count = 0; count < 100; count += 1) {
    expect((await bo.post(path, { ...till, name: `Caisse ${count}` })).status).toBe(201);
  }
  const { status, body } = await bo.post(path, till);
  expect([status, body.code, body.message]).toEqual([
    ...[409, 'Too_Many_Accounts'],
    expect.stringContaining('«\u202fSaisie manuelle\u202f» aurait plus de 100 comptes'),
  ]);
  expect(await shown(bo)).toHaveLength(100);
});
