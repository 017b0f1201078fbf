import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { destinationSecrets } from '../../src/server/notifications/destinations/queries.ts';
import { BackupError, checkKeys } from '../../src/server/operations/backup/format.ts';
import { prepareToRun } from '../../src/server/operations/backup/preparing.ts';
import { openBackup, restoreBackup } from '../../src/server/operations/backup/restoring.ts';
import { listTables } from '../../src/server/operations/backup/tables.ts';
import { writeBackup } from '../../src/server/operations/backup/writing.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';
import { eventually, type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson, deliveriesOf } from '../notifications/deliveries/people.ts';
import { insertCrowd } from '../support/crowd.ts';
import { type Databases, startDatabases } from '../support/engines.ts';
import { each, linesOf, restore } from './restoration.ts';

const secrets = ['the newest of two secrets', 'an older one, still in use'];

const ways = [
  ['embedded', 'postgres'],
  ['postgres', 'embedded'],
] as const;

describe.each(ways)('a backup of the %s database restored on %s', (from, to) => {
  let sources: Databases;
  let targets: Databases;
  let fixture: Fixture;
  let lines: string[];

  beforeAll(async () => {
    [sources, targets] = await Promise.all([startDatabases(from), startDatabases(to)]);
    fixture = await openFixture(await sources.open());
    const dueAt = new Date(fixture.clock.now().getTime() + 3_600_000);
    await insertCrowd(fixture.services, {
      count: 1100,
      dueAt,
      accounts: 3,
      message: 'À {{total}}\u2028',
    });
    await sql`insert into deletion_banks values (gen_random_uuid(), 'enablebanking', 'sealed')`.execute(
      fixture.services.database.sql,
    );
    lines = await linesOf(writeBackup(fixture.services, secrets));
  }, 120_000);
  afterAll(async () => {
    await fixture?.close();
    await Promise.all([sources?.close(), targets?.close()]);
  });

  it('holds every row of every table as it was', async () => {
    const restored = await targets.openEmpty();
    const rows = await restore(restored, lines);
    expect(rows).toBeGreaterThan(520 * 5);
    expect(await digestOf(restored)).toEqual(await digestOf(fixture.services.database));
    await expect(restore(restored, lines)).rejects.toThrow('pas vide');
    const { rows: months } = await sql`select from pg_class
      where relname ~ '^deliveries_[0-9]{4}_[0-9]{2}$'`.execute(restored.sql);
    expect(months.length).toBeGreaterThan(14);
    await restored.close();
  });

  it('is restored without the tables that somebody else made beside, whatever their names', async () => {
    const { database } = fixture.services;
    const names = ['My Notes', 'notes', 'notes-1', 'notes2024', 'été'];
    for (const name of names) {
      await sql`create table ${sql.id(name)} (text text)`.execute(database.sql);
      await sql`insert into ${sql.id(name)} values ('one'), ('two')`.execute(database.sql);
    }
    const more = await linesOf(writeBackup(fixture.services, secrets));
    for (const name of names) await sql`drop table ${sql.id(name)}`.execute(database.sql);
    const restored = await targets.openEmpty();
    const { foreign } = await restoreBackup(restored, await openBackup(each(more)));
    expect(foreign).toEqual(new Map(names.map((name) => [name, 2])));
    expect(await digestOf(restored)).toEqual(await digestOf(database));
    await restored.close();
  });

  it('is written and restored whatever such tables reference, and however their columns are named', async () => {
    const { database } = fixture.services;
    const run = (text: string) => sql.raw(text).execute(database.sql);
    await run('create schema other');
    await run('create table other.users (id int primary key)');
    await run('create table "notes.of.others" (t text, id int references other.users)');
    await run(`insert into "notes.of.others" values ('one')`);
    await run('create table hens (id int primary key, egg int)');
    await run('create table eggs (id int primary key, hen int references hens)');
    await run('alter table hens add foreign key (egg) references eggs');
    const more = await linesOf(writeBackup(fixture.services, secrets));
    await run('drop table "notes.of.others", eggs, hens, other.users');
    await run('drop schema other');
    const restored = await targets.openEmpty();
    const { foreign } = await restoreBackup(restored, await openBackup(each(more)));
    const left = { 'notes.of.others': 1, eggs: 0, hens: 0 };
    expect(foreign).toEqual(new Map(Object.entries(left)));
    expect(await digestOf(restored)).toEqual(await digestOf(database));
    await restored.close();
  });

  it('is refused by a later version that has created its tables, and says so', async () => {
    const started = await targets.open();
    const [header = '', ...rest] = lines;
    const earlier = header.replace(/"migration":"[^"]+"/, '"migration":"0020-unknown-bank-users"');
    await expect(restore(started, [earlier, ...rest])).rejects.toThrow('autre version');
    await started.close();
  });

  it('holds none of the secrets, and is refused without each of them', async () => {
    const text = lines.join('\n');
    for (const secret of secrets) expect(text).not.toContain(secret);
    const { header } = await openBackup(each(lines));
    const refusalOf = (known: string[]) => () => checkKeys(header, known, systemRandomness);
    expect(refusalOf(['another secret'])).toThrow(BackupError);
    expect(refusalOf(['another secret'])).toThrow(/^La clé ne correspond pas/);
    for (const known of secrets) expect(refusalOf([known])).toThrow(/^Il manque une clé/);
    checkKeys(header, secrets.toReversed(), systemRandomness);
  });

  it('gives no new account the number of an erased one that a notification still names', async () => {
    const { sql: database } = fixture.services.database;
    const naming = [
      sql`insert into messenger_accounts (user_id, messenger_id, account_id, included)
        select user_id, id, 70000, false from messengers limit 1`,
      sql`insert into message_operations (user_id, messenger_id, due_at, scheduled_at, accounts)
        select user_id, id, now(), now(), '[1, 80000]' from messengers limit 1`,
      sql`update message_operations set accounts = '{"1": null, "90000": "2026-01-12", "iban 3f": "2026-01-12"}'`,
    ];
    for (const [index, insertion] of naming.entries()) {
      await insertion.execute(database);
      const restored = await targets.openEmpty();
      await restore(restored, await linesOf(writeBackup(fixture.services, secrets)));
      const { rows } = await sql<{ next: number }>`
        select nextval('bank_account_ids') as next`.execute(restored.sql);
      expect(rows).toEqual([{ next: [70001, 80001, 90001][index] }]);
      await restored.close();
    }
  });

  it('changes nothing when it is cut off or abused', async () => {
    const restored = await targets.openEmpty();
    for (const given of [['{}'], [], ['no JSON'], lines.slice(1)]) {
      await expect(restore(restored, given)).rejects.toThrow(BackupError);
    }
    const [header = '', ...rest] = lines;
    const later = header.replace(/"migration":"[^"]+"/, '"migration":"9999-later"');
    await expect(restore(restored, [later, ...rest])).rejects.toThrow('version plus récente');
    expect(await listTables(restored.sql)).toEqual([]);
    for (const given of [lines.slice(0, -1), lines.slice(0, 600), [...lines, '{"rows":0}']]) {
      await expect(restore(restored, given)).rejects.toThrow(BackupError);
    }
    const damaged = await openBackup(withWrongChecksum(lines));
    await expect(restoreBackup(restored, damaged)).rejects.toThrow('checksum');
    await restore(restored, lines);
    await restored.close();
  });
});

describe('an installation restored after the hour of its notifications', () => {
  it('sends nothing again: what may have arrived is uncertain, tomorrow goes on', async () => {
    const databases = await startDatabases('embedded');
    const before = await openFixture(await databases.open());
    const person = await addPerson(before);
    const planned = await addMessenger(before, person);
    const sending = await addMessenger(before, person);
    await before.services.database.sql
      .insertInto('deliveries')
      .values({
        ...{
          user_id: person.userId,
          id: before.services.randomness.uuid(),
          messenger_id: sending.id,
        },
        ...{ kind: 'daily', local_date: '2026-01-12', due_at: before.clock.now() },
        ...{ channel_id: 'C', channel_name: 'c', created_at: before.clock.now() },
      })
      .execute();
    const lines = await linesOf(writeBackup(before.services, secrets));
    const database = await databases.openEmpty();
    await restore(database, lines);
    const after = await openFixture(database);
    after.clock.set('2026-01-12T08:30:00Z');
    expect(await prepareToRun(after.services, before.clock.now())).toMatchObject({ uncertain: 2 });
    await after.services.database.sql
      .updateTable('destinations')
      .set({
        sealed_secret: after.services.vault.seal(
          after.slack.control.install(person.team),
          destinationSecrets.additionalData(person.userId, person.destinationId),
        ),
      })
      .execute();
    const worker = await after.startWorker();
    for (const { id } of [planned, sending]) {
      for (const { outcome, reason } of await deliveriesOf(after, id)) {
        expect({ outcome, reason }).toEqual({ outcome: 'uncertain', reason: 'restored' });
      }
    }
    after.clock.set('2026-01-13T08:00:00Z');
    await eventually(
      () => deliveriesOf(after, planned.id),
      (rows) => rows.at(-1)?.outcome === 'delivered',
    );
    await eventually(
      () => after.slack.control.log(),
      ({ length }) => length === 2,
    );
    await worker.stop();
    await Promise.all([before.close(), after.close()]);
    await databases.close();
  });
});

/** A damaged file, which is noticed once all of it is read. */
async function* withWrongChecksum(lines: string[]): AsyncGenerator<string> {
  yield* lines;
  throw new BackupError('The checksum is wrong.');
}

/** Every table with the number of its rows and a digest of all they hold, whatever their order. */
async function digestOf(database: OpenDatabase): Promise<Record<string, string>> {
  await migrate(database);
  const digests: Record<string, string> = {};
  for (const table of await listTables(database.sql)) {
    await sql`set timezone to 'UTC'`.execute(database.sql);
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '')
      as digest from ${sql.table(table)} t`.execute(database.sql);
    digests[table] = rows[0]?.digest ?? '';
  }
  return digests;
}
