import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { openBackup, restoreBackup } from '../../src/server/operations/backup/restoring.ts';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { migrate, migrateTo } from '../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { type Application, startApplication } from '../support/application.ts';
import { type Databases, engines, startDatabases } from '../support/engines.ts';

const ana = '11111111-1111-4111-8111-111111111111';

/** What the version before several sources had written: every table that the migration changes. */
const filled = [
  `insert into users (id, email, email_key, password_hash, firstname, lastname, terms_accepted_at,
    created_at) values ('${ana}', 'ana@exemple.fr', 'ana@exemple.fr', '', 'Ana', 'Durand', now(), now())`,
  `insert into bank_users values ('${ana}', 'uuid-at-bridge', now())`,
  `insert into bank_visits (nonce, user_id, purpose, item_id, created_at, expires_at)
    values ('0123456789abcdef', '${ana}', 'edit', 9273441, now(), now() + interval '1 day')`,
  `insert into bank_items (user_id, id, bank_id, bank_name, status, status_description, seen_at)
    values ('${ana}', 9273441, 574, 'Banque du Littoral', 1010, 'Authentification', now()),
      ('${ana}', 9273442, 601, 'Crédit Coopérant', 0, null, now()),
      ('${ana}', 9273443, 601, 'Crédit Coopérant', 1234, null, now())`,
  `insert into bank_accounts (user_id, id, item_id, bank_id, bank_name, name, type, currency,
      balance_minor, updated_at, first_seen_at)
    values ('${ana}', 41932118, 9273441, 574, 'Banque du Littoral', 'Courant', 'checking', 'EUR',
      123456, '2026-01-11T20:00:00Z', now())`,
  `insert into bank_balances values ('${ana}', 41932118, '2026-01-11', 123456, 'EUR', now())`,
  `insert into bank_refreshes (user_id, refreshed_at, failure, erasures)
    values ('${ana}', '2026-01-11T21:00:00Z', 'unavailable', 3)`,
  `insert into bank_calls (name, free_at) values ('application', now())`,
  `insert into deletions (id, receipt_hash, user_id, provider_user_id, requested_at, tried_at)
    values (gen_random_uuid(), 'a', gen_random_uuid(), 'gone-at-bridge', now(), now()),
      (gen_random_uuid(), 'b', null, null, now(), now())`,
];

describe.each(engines)('a database of one source, on %s', (engine) => {
  let databases: Databases;
  let database: OpenDatabase;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    database = await databases.openEmpty();
    await migrateTo(database, '0008-ages-in-order');
    for (const statement of filled) await sql.raw(statement).execute(database.sql);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await databases.close();
  });

  const rowsOf = async (table: string) =>
    (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.sql))
      .rows;

  test('keeps every row, its number and its source', async () => {
    expect(await rowsOf('bank_links')).toMatchObject([
      { user_id: ana, source: 'bridge', provider_user_id: 'uuid-at-bridge', sealed_secret: null },
    ]);
    expect(await rowsOf('bank_connect_sessions')).toMatchObject([
      { nonce: '0123456789abcdef', source: 'bridge', purpose: 'edit', connection_id: 9_273_441 },
    ]);
    const connection = { user_id: ana, source: 'bridge' };
    expect(await rowsOf('bank_connections')).toMatchObject([
      { ...connection, id: 9_273_441, source_id: '9273441', state: 'renew', status: 1010 },
      { ...connection, id: 9_273_442, source_id: '9273442', state: 'ok', status: 0 },
      { ...connection, id: 9_273_443, source_id: '9273443', state: 'unknown', status: 1234 },
    ]);
    expect(await rowsOf('bank_accounts')).toMatchObject([
      {
        ...{ ...connection, id: 41_932_118, source_id: '41932118', connection_id: 9_273_441 },
        ...{ name: 'Courant', balance_minor: 123_456, balance_kind: 'unknown' },
      },
    ]);
    expect(await rowsOf('bank_balances')).toMatchObject([{ account_id: 41_932_118 }]);
    expect(await rowsOf('bank_refreshes')).toMatchObject([
      { user_id: ana, source: 'bridge', failure: 'unavailable', erasures: 3 },
    ]);
    expect(await rowsOf('bank_calls')).toMatchObject([{ source: 'bridge', name: 'application' }]);
    const deletions = await rowsOf('deletions');
    expect(
      Object.fromEntries(deletions.map((row) => [row.receipt_hash, row.provider_users])),
    ).toEqual({
      a: { bridge: 'gone-at-bridge' },
      b: null,
    });
  });

  test('gives new rows numbers above those there are', async () => {
    expect(await nextNumber(database, 'bank_connection_ids')).toBe(9_273_444);
    expect(await nextNumber(database, 'bank_account_ids')).toBe(41_932_119);
  });
});

test('a restored installation draws numbers above those of the backup', async () => {
  const databases = await startDatabases('embedded');
  const app = await startApplication();
  const { person, id } = await linked(app);
  const lines = async function* () {
    let text = '';
    for await (const chunk of writeBackup(app.services, ['a secret'])) text += chunk;
    yield* text.split('\n').slice(0, -1);
  };
  const restored = await databases.open();
  await restoreBackup(restored, await openBackup(lines()));
  app.bank.control.link({ externalUserId: person.id, providerId: 602 });
  await createBankRefreshes({ ...app.services, database: restored }).refresh(person.id);
  const { rows } = await sql<{ id: number }>`
    select id from bank_connections where user_id = ${person.id} order by id`.execute(restored.sql);
  expect(rows).toEqual([{ id }, { id: id + 1 }]);
  await restored.close();
  await databases.close();
  await app.close();
});

async function linked(app: Application) {
  const person = await app.signUp();
  await person.get('/bridge/items/connect');
  app.bank.control.link({ externalUserId: person.id });
  const { body } = await person.get('/bridge/items');
  return { person, id: Number(body[0].id) };
}

async function nextNumber({ sql: database }: OpenDatabase, sequence: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select nextval(${sequence}::regclass) as next`.execute(database);
  return rows[0]?.next ?? 0;
}
