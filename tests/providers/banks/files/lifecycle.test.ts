import { once } from 'node:events';
import { request } from 'node:http';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accounts, ana, app, clock, later, lcl, sample, send, setUpFiles } from './fixture.ts';

/** A person's life with files, told in order: each test goes on where the last one ended. */
setUpFiles();

test('is offered with what the browser needs to pick a file', async () => {
  expect((await ana.get('/banks/sources')).body[1]).toMatchObject({
    source: 'files',
    connect: { kind: 'file', accept: expect.stringContaining('.ofx'), maxBytes: 10_485_760 },
  });
});

test.for(['previews', 'statements'])('%s take a file by the documentation', async (path) => {
  const { paths } = (await app.visitor.get('/openapi.json')).body;
  const { requestBody } = paths[`/api/banks/sources/files/${path}`].post;
  expect(requestBody.content).toEqual({ 'application/octet-stream': { schema: {} } });
});

test('a preview says what a file would bring, and keeps nothing', async () => {
  const { status, body } = await send('previews', await sample('lcl-camt053.xml'));
  expect([status, body]).toEqual([
    200,
    {
      format: 'camt',
      table: null,
      accounts: [
        {
          ...{ bank: 'LCL', name: 'Compte courant', ending: '841Z', currency_code: 'EUR' },
          ...{ balance: 1250.75, day: '2026-11-20', days: 1 },
          ...{ isCurrent: true, isKnown: false, isUncertain: false },
        },
      ],
    },
  ]);
  expect(await accounts()).toEqual([]);
});

test('an imported account has the figure of the file and its date', async () => {
  const { status, body } = await send('statements', await sample('lcl-camt053.xml'), {
    names: lcl,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject([{ state: 'ok', form: 'files', bank: { name: 'LCL' } }]);
  expect(await accounts()).toMatchObject([
    { name: 'Compte courant', balance: 1250.75, updated_at: '2026-11-20T00:00:00.000Z' },
  ]);
});

test('a later file goes on with its history, an older one replaces no newer figure', async () => {
  const [{ id }] = await accounts();
  await send('statements', await later('900.00', '2026-11-10'), { names: lcl });
  expect(await accounts()).toMatchObject([{ id, balance: 1250.75 }]);
  clock.set('2026-11-22T08:00:00Z');
  const next = await later('1300.00', '2026-11-21');
  expect((await send('previews', next)).body.accounts).toMatchObject([{ isKnown: true }]);
  await send('statements', next, { names: lcl });
  expect(await accounts()).toMatchObject([{ id, balance: 1300 }]);
  const { body: days } = await ana.get(`/bridge/accounts/${id}/balances`);
  expect(days.map(({ day, balance }: { day: string; balance: number }) => [day, balance])).toEqual([
    ['2026-11-10', 900],
    ['2026-11-20', 1250.75],
    ['2026-11-21', 1300],
  ]);
});

test('a corrected file of the same day takes the place of the first', async () => {
  await send('statements', await later('1310.00', '2026-11-21'), { names: lcl });
  expect(await accounts()).toMatchObject([{ balance: 1310 }]);
});

test('the same account in another format is found by its number', async () => {
  const ofx = (await sample('credit-agricole-1.ofx'))
    .replace('18206', '30002')
    .replace('00240', '00550')
    .replace('12345678901', '0000157841Z')
    .replaceAll('20261120', '20261122');
  const { body } = await send('previews', ofx);
  expect(body.accounts).toMatchObject([{ bank: 'LCL', name: 'Compte courant', isKnown: true }]);
});

test('a table whose columns were chosen once is read by them the next time', async () => {
  const csv = await sample('fortuneo.csv');
  const { body } = await send('previews', csv);
  expect(body.accounts).toEqual([]);
  const columns = { ...body.table.columns, known: { day: '2026-11-20', amount: '500,00' } };
  const names = [{ bank: 'Fortuneo', name: 'Compte joint' }];
  expect((await send('statements', csv, { names })).status).toBe(422);
  expect((await send('statements', csv, { columns, names })).status).toBe(201);
  expect(await accounts()).toMatchObject([{}, { name: 'Compte joint', balance: 500 }]);
  const swapped = csv.replace('Débit;Crédit', 'Débit;Crédit');
  const again = await send('previews', `${swapped}Solde au 21/11/2026;;;;600,00;\n`);
  expect(again.body.accounts).toMatchObject([
    { bank: 'Fortuneo', name: 'Compte joint', balance: 600, isKnown: true },
  ]);
});

test('a broken line is named, and nothing of the file is kept', async () => {
  const before = await accounts();
  const csv = (await sample('credit-mutuel.csv')).replace('2 400,00', 'douze');
  const { status, body } = await send('statements', csv, { names: [{ bank: 'B', name: 'N' }] });
  expect([status, body.message]).toEqual([422, expect.stringContaining('ligne 4')]);
  expect(await accounts()).toEqual(before);
});

test('an account that the preview did not show is not continued', async () => {
  const before = await accounts();
  const csv = await sample('credit-mutuel.csv');
  const { body } = await send('previews', csv);
  expect(body.accounts).toMatchObject([{ isKnown: false }]);
  const names = [{ bank: 'Fortuneo', name: 'Compte joint' }];
  const refused = await send('statements', csv, { names, announced: [null] });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining('«\u202fCompte joint\u202f»'),
  ]);
  expect(await accounts()).toEqual(before);
  const known = (await send('previews', await later('1310.00', '2026-11-21'))).body.accounts;
  expect(known).toMatchObject([{ isKnown: true, accountId: before[0].id }]);
  const kept = await send('statements', await later('1310.00', '2026-11-21'), {
    ...{ names: lcl, announced: [known[0].accountId] },
  });
  expect(kept.status).toBe(201);
});

test('one number with two currencies is two accounts, in later files too', async () => {
  const bo = await app.signUp();
  const euro = await sample('lcl-camt053.xml');
  const dollar = /<Stmt>[\s\S]*<\/Stmt>/.exec(euro)?.[0]?.replaceAll('EUR', 'USD') ?? '';
  const both = euro.replace('</Stmt>', `</Stmt>${dollar.replace('1250.75', '7.00')}`);
  const names = [
    { bank: 'LCL', name: 'Euros' },
    { bank: 'LCL', name: 'Dollars' },
  ];
  expect((await send('statements', both, { names }, bo)).status).toBe(201);
  const alone = euro.replaceAll('EUR', 'USD').replace('1250.75', '8.00');
  const { body } = await send('previews', alone, {}, bo);
  expect(body.accounts).toMatchObject([{ name: 'Dollars', isKnown: true }]);
  expect((await send('statements', alone, { names: names.slice(1) }, bo)).status).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: 1250.75 }, { balance: 8 }]);
});

test('the number of an account is not stored, and one of an earlier version is found by it', async () => {
  const [bo, { sql: database }] = [await app.signUp(), app.services.database];
  const euro = await sample('lcl-camt053.xml');
  expect((await send('statements', euro, { names: lcl }, bo)).status).toBe(201);
  const stored = () =>
    sql`select a::text from bank_accounts a where user_id = ${bo.id}`.execute(database);
  const number = '30002005500000157841Z';
  expect(JSON.stringify((await stored()).rows)).not.toContain('157841');
  await sql`update bank_accounts set source_id = ${number} where user_id = ${bo.id}`.execute(
    database,
  );
  const [{ id }] = await accounts(bo);
  const next = await later('900.00', '2026-11-21');
  expect((await send('previews', next, {}, bo)).body.accounts).toMatchObject([{ accountId: id }]);
  await send('statements', next, { names: lcl }, bo);
  expect(await accounts(bo)).toMatchObject([{ id, balance: 900 }]);
  const dollars = [{ bank: 'LCL', name: 'Dollars' }];
  for (const figure of ['7.00', '8.00']) {
    const other = euro.replaceAll('EUR', 'USD').replace('1250.75', figure);
    expect((await send('statements', other, { names: dollars }, bo)).status).toBe(201);
  }
  expect(await accounts(bo)).toMatchObject([{ id, balance: 900 }, { balance: 8 }]);
});

test('a report in the course of a day replaces no later one, and not the balance of its end', async () => {
  const bo = await app.signUp();
  const names = [{ bank: 'Société Générale', name: 'Compte' }];
  const report = (await sample('societe-generale-camt052.xml')).replaceAll('-11-21', '-11-20');
  const at = (time: string, figure: string) =>
    report.replace('T11:30', `T${time}`).replace('980.00', figure);
  const closing = at('11:30', '1000.00').replace('ITBD', 'CLBD');
  for (const [file, figure] of [
    [at('11:30', '980.00'), 980],
    [at('15:00', '990.00'), 990],
    [at('09:00', '970.00'), 990],
    [closing, 1000],
    [at('15:00', '990.00'), 1000],
    [closing.replace('1000.00', '1001.00'), 1001],
    [at('15:00', '990.00').replaceAll('-11-20', '-11-21'), 990],
  ] as const) {
    expect((await send('statements', file, { names }, bo)).status).toBe(201);
    expect(await accounts(bo)).toMatchObject([{ balance: figure }]);
  }
  const [{ id }] = await accounts(bo);
  const { body: days } = await bo.get(`/bridge/accounts/${id}/balances`);
  expect(days.map(({ balance }: { balance: number }) => balance)).toEqual([1001, 990]);
});

test('a day that has not come is refused, and freezes no account', async () => {
  const before = await accounts();
  const { status, body } = await send('statements', await later('9.00', '2062-11-20'), {
    names: lcl,
  });
  expect([status, body.message]).toEqual([422, expect.stringContaining('20/11/2062')]);
  expect(await accounts()).toEqual(before);
});

test('days are those of Paris, and just after its midnight none is dated ahead', async () => {
  const bo = await app.signUp();
  const given = async (day: string, figure: string) =>
    (await send('statements', await later(figure, day), { names: lcl }, bo)).status;
  expect(await given('2026-11-23', '5.00')).toBe(422);
  // 00:30 of the 23rd in Paris, still the 22nd by UTC.
  clock.set('2026-11-22T23:30:00Z');
  expect(await given('2026-11-23', '6.00')).toBe(201);
  expect(await accounts(bo)).toMatchObject([{ balance: 6, updated_at: clock.now().toISOString() }]);
});

test.for([
  [{ names: [] }, 400],
  [{ names: [{ bank: ' ', name: 'x' }] }, 400],
  [{ names: 'no list' }, 400],
  [{ columns: { date: -1 } }, 400],
] as const)('what is said of a file as %j is refused', async ([query, status]) => {
  expect((await send('statements', await sample('lcl-camt053.xml'), query)).status).toBe(status);
});

test('an import without its names says how many it wants', async () => {
  const { body } = await send('statements', await sample('lcl-camt053.xml'));
  const message = 'Donnez un nom à chaque compte de ce fichier\u202f: il en a 1.';
  expect(body.details).toEqual([{ path: '/names', message }]);
});

test('a file above ten megabytes is refused', async () => {
  expect((await send('previews', 'x'.repeat(10_485_761))).status).toBe(413);
});

test('of the files that a person sends at once the third is refused before it has come', async () => {
  const eve = await app.signUp();
  const { hostname, port } = new URL(app.url);
  const begun = Array.from({ length: 3 }, () =>
    request({
      ...{ hostname, port, method: 'POST', path: '/api/banks/sources/files/previews' },
      headers: { authorization: `Bearer ${eve.token}`, 'content-length': '1000' },
    }),
  );
  const answers = begun.map((one) => once(one, 'response'));
  for (const one of begun) one.on('error', () => {}).write('x');
  const [refused] = await Promise.race(answers);
  expect(refused.statusCode).toBe(409);
  for (const one of begun) one.destroy();
  await Promise.allSettled(answers);
  const file = await sample('lcl-camt053.xml');
  await expect.poll(async () => (await send('previews', file, {}, eve)).status).toBe(200);
});

test('nobody reads, continues or removes the accounts of somebody else', async () => {
  const eve = await app.signUp();
  const file = await sample('lcl-camt053.xml');
  expect((await send('previews', file, {}, eve)).body.accounts).toMatchObject([{ isKnown: false }]);
  await send('statements', await later('1.00', '2026-11-21'), { names: lcl }, eve);
  expect(await accounts(eve)).toMatchObject([{ balance: 1 }]);
  expect(await accounts()).toMatchObject([{ balance: 1310 }, {}]);
  expect(
    (await app.visitor.send('POST', '/banks/sources/files/previews', { body: file })).status,
  ).toBe(401);
});

test('a removed bank goes with its accounts', async () => {
  const [mine] = (await ana.get('/bridge/items')).body;
  expect((await ana.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect(await accounts()).toHaveLength(1);
});

test('a file that would bring more than fifty banks brings none of them', async () => {
  const eve = await app.signUp();
  await sql`insert into bank_connections (user_id, source, id, source_id, bank_id, bank_name, state,
      status, seen_at)
    select ${eve.id}, 'bridge', nextval('bank_connection_ids'), 'x' || number, 1, 'Banque', 'ok', 0,
      ${clock.now()}::timestamptz
    from generate_series(1, 49) number`.execute(app.services.database.sql);
  const file = await sample('banque-populaire-2.ofx');
  const importOf = (...banks: string[]) =>
    send('statements', file, { names: banks.map((bank, at) => ({ bank, name: `n${at}` })) }, eve);
  const { status, body } = await importOf('Une', 'Autre');
  expect([status, body.code]).toEqual([409, 'Too_Many_Banks']);
  expect(await accounts(eve)).toEqual([]);
  expect((await importOf('Une', 'Une')).status).toBe(201);
  expect((await importOf('Une', 'Une')).status).toBe(201);
});

test('half a surrogate pair in a name is stored as the sign that stands for it', async () => {
  const eve = await app.signUp();
  const names = [{ bank: 'Banque \ud800', name: 'Compte \udc00' }];
  const { status } = await send('statements', await sample('lcl-camt053.xml'), { names }, eve);
  expect(status).toBe(201);
  expect(await accounts(eve)).toMatchObject([
    { name: 'Compte \ufffd', bank: { name: 'Banque \ufffd' } },
  ]);
});
