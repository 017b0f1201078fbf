import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';

let app: Application;
beforeAll(async () => {
  app = await startApplication();
});
// Together these tests ask more of the bank than one application may in so short a time.
beforeEach(() => app.services.database.sql.deleteFrom('bank_calls').execute());
afterAll(() => app.close());

/** A person whose bank is linked behind the scenes, and not yet read. */
async function linked(login = 'success'): Promise<{ person: Person; itemId: number }> {
  const person = await app.signUp();
  await person.get('/bridge/items/connect');
  return { person, itemId: app.bank.control.link({ externalUserId: person.id, login }) };
}

/** The same, read once: `id` is our number of the connection. */
async function shown(login = 'success'): Promise<{ person: Person; id: number }> {
  const { person } = await linked(login);
  const { body } = await person.get('/bridge/items');
  return { person, id: body[0].id };
}

test.for([
  ['GET', '/bridge/items'],
  ['GET', '/bridge/accounts?types[]=checking'],
  ['DELETE', '/bridge/items/1'],
  ['GET', '/bridge/items/connect'],
  ['GET', '/bridge/items/edit/1'],
  ['GET', '/bridge/items/pro/confirmation/url'],
] as const)('a visitor gets nothing from %s %s', async ([method, path]) => {
  expect(await app.visitor.send(method, path)).toMatchObject({
    status: 401,
    body: { code: 'Not_Signed_In' },
  });
});

test('somebody who never linked a bank has none, and Bridge is not asked', async () => {
  const person = await app.signUp();
  app.bank.control.clearRequests();
  expect(await person.get('/bridge/items')).toMatchObject({ status: 200, body: [] });
  expect(await person.get('/bridge/accounts')).toMatchObject({ status: 200, body: [] });
  expect((await person.delete('/bridge/items/7')).status).toBe(204);
  expect((await person.get('/bridge/items/edit/7')).status).toBe(404);
  expect((await person.get('/bridge/items/pro/confirmation/url')).status).toBe(404);
  expect(app.bank.control.requests()).toEqual([]);
});

test('two first clicks at once make one user there', async () => {
  const person = await app.signUp();
  const answers = await Promise.all([1, 2, 3].map(() => person.get('/bridge/items/connect')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(app.bank.control.items(person.id)).toEqual([]);
});

test('accounts come with their state, their bank and the hour of their figures', async () => {
  const { person, id } = await shown('1003');
  const { body } = await person.get('/bridge/accounts?types[]=checking');
  expect(body).toHaveLength(2);
  expect(body[0]).toEqual({
    id: expect.any(Number),
    name: 'Compte courant',
    type: 'checking',
    balance: expect.any(Number),
    status: 1003,
    state: 'unreachable',
    notice: {
      sentence: "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.",
      action: null,
    },
    currency_code: 'EUR',
    updated_at: '2026-01-08T19:00:00.000Z',
    iban_print: expect.stringMatching(/^[0-9a-f]{16}$/),
    item: { id },
    bank: { id: 574, name: 'Banque du Littoral' },
  });
  const types = async (query: string) =>
    (await person.get(`/bridge/accounts${query}`)).body.map((one: { type: string }) => one.type);
  expect(await types('?types[]=card&types[]=savings')).toEqual(['card', 'savings']);
  expect(await types('')).toHaveLength(4);
  expect(await types('?types[]=nothing')).toEqual([]);
});

test('a connection tells how many of its accounts are no checking accounts', async () => {
  const { person, id } = await shown();
  expect((await person.get('/bridge/items')).body).toMatchObject([{ id, other_accounts: 2 }]);
  const { person: outsider } = await shown('402');
  const { body } = await outsider.get('/bridge/items');
  expect(body).toHaveLength(1);
  expect(body[0]).not.toHaveProperty('other_accounts');
});

test('a bank without an account keeps its card', async () => {
  const { person, id } = await shown('402');
  expect((await person.get('/bridge/accounts')).body).toEqual([]);
  expect((await person.get('/bridge/items')).body).toEqual([
    {
      id,
      status: 402,
      state: 'credentials',
      notice: {
        sentence: 'La banque refuse vos identifiants.',
        action: { kind: 'edit', label: 'Mettre à jour la connexion' },
      },
      form: null,
      status_description: 'Vos identifiants ne sont pas acceptés par la banque.',
      bank: { id: 574, name: 'Banque du Littoral' },
      last_successful_refresh: null,
      authentication_expires_at: '2026-07-11T07:00:00.000Z',
    },
  ]);
});

test('nobody sees, edits or removes the bank of somebody else', async () => {
  const { person: owner, id: itemId } = await shown();
  const { person: outsider } = await linked();
  const foreign = (rows: { item?: { id: number }; id: number }[]) =>
    rows.some((row) => (row.item?.id ?? row.id) === itemId);
  expect(foreign((await outsider.get('/bridge/items')).body)).toBe(false);
  expect(foreign((await outsider.get('/bridge/accounts')).body)).toBe(false);
  expect((await outsider.get(`/bridge/items/edit/${itemId}`)).status).toBe(404);
  expect((await outsider.get(`/bridge/items/pro/confirmation/url?item=${itemId}`)).status).toBe(
    404,
  );
  await outsider.delete(`/bridge/items/${itemId}`);
  expect(foreign((await owner.get('/bridge/items')).body)).toBe(true);
});

test('a removed bank is gone with its accounts, and may be removed again', async () => {
  const { person, id } = await shown();
  expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
  expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
  expect((await person.get('/bridge/items')).body).toEqual([]);
  expect((await person.get('/bridge/accounts')).body).toEqual([]);
});

test('a bank that was linked since the last reading is found at Bridge, to be removed or edited', async () => {
  const { id } = await shown();
  const { person: ana } = await linked();
  expect((await ana.get(`/bridge/items/edit/${id + 1}`)).status).toBe(200);
  const { person: ben } = await linked();
  expect((await ben.delete(`/bridge/items/${id + 2}`)).status).toBe(204);
  expect(app.bank.control.items(ben.id)).toEqual([]);
  const { person: cleo } = await linked('pro');
  expect((await cleo.get('/bridge/items/pro/confirmation/url')).status).toBe(200);
});

test('an unknown bank is no answer while Bridge cannot be asked', async () => {
  const { person, id } = await shown();
  app.bank.control.addFault({ match: '/v3/aggregation/items', kind: 'status', status: 500 });
  expect((await person.delete(`/bridge/items/${id + 1}`)).status).toBe(503);
  expect((await person.get(`/bridge/items/edit/${id + 1}`)).status).toBe(503);
  expect((await person.get('/bridge/items/pro/confirmation/url')).status).toBe(503);
  app.bank.control.clearFaults();
  expect((await person.delete(`/bridge/items/${id + 1}`)).status).toBe(204);
  expect((await person.get(`/bridge/items/edit/${id + 1}`)).status).toBe(404);
  expect((await person.get('/bridge/items/pro/confirmation/url')).status).toBe(404);
});

test('a failing Bridge is told in French, and removes nothing', async () => {
  const { person } = await linked();
  const { person: other, id } = await shown();
  for (const [status, expected] of [
    [401, 502],
    [403, 502],
    [429, 503],
    [500, 503],
  ] as const) {
    app.bank.control.addFault({ match: '/v3/aggregation/', kind: 'status', status });
    const { status: answered, body } = await person.get('/bridge/accounts');
    expect([status, answered]).toEqual([status, expected]);
    expect(body.message).toMatch(/^Le service bancaire/);
    expect((await other.delete(`/bridge/items/${id}`)).status).toBe(expected);
    app.bank.control.clearFaults();
    app.clock.advance({ minutes: 2 });
  }
  expect((await person.get('/bridge/items')).body).toHaveLength(1);
  expect((await other.get('/bridge/items')).body).toHaveLength(1);
});

test('nothing is erased on the word of one 404', async () => {
  const { person } = await linked();
  const { body: before } = await person.get('/bridge/items');
  const body = { errors: [{ code: 'user.not_found', message: 'x' }] };
  app.bank.control.addFault({ match: '/token', kind: 'status', status: 404, body });
  app.bank.control.expireTokens();
  app.clock.advance({ minutes: 5 });
  expect((await person.get('/bridge/items')).status).toBe(502);
  expect((await person.get('/bridge/items?stored=1')).body).toEqual(before);
  app.bank.control.clearFaults();
  expect((await person.get('/bridge/items')).body).toEqual(before);
});

test('the fifth visit to a connection within a day is refused with a sentence', async () => {
  const { person, id: itemId } = await shown();
  for (let visit = 0; visit < 4; visit += 1) {
    expect((await person.get(`/bridge/items/edit/${itemId}`)).status).toBe(200);
  }
  const { status, body } = await person.get(`/bridge/items/edit/${itemId}`);
  expect(status).toBe(429);
  expect(body.message).toMatch(/quatre fois/);
});

test('a redirection in place of Bridge’s answer hides nothing that is stored', async () => {
  const { person } = await shown();
  const { body: before } = await person.get('/bridge/accounts?stored=1');
  expect(before).not.toEqual([]);
  const headers = { location: 'https://maintenance.invalid/' };
  app.bank.control.addFault({ match: '/items', kind: 'status', status: 302, body: '', headers });
  const read = await person.get('/bridge/accounts');
  const fresh = await person.get('/bridge/items?fresh=1');
  app.bank.control.clearFaults();
  expect(read).toMatchObject({ status: 200, body: before });
  expect([fresh.status, fresh.body.code]).toEqual([503, 'Bank_Unavailable']);
});
