import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { hasErrorCode } from '../error-code.ts';
import { noTimeouts, withLongStatements } from './long-statements.ts';
import * as foundation from './migrations/0001-foundation.ts';
import * as bankData from './migrations/0002-bank-data.ts';
import * as message from './migrations/0003-message.ts';
import * as accounts from './migrations/0004-accounts.ts';
import * as limits from './migrations/0005-limits.ts';
import * as operators from './migrations/0006-operators.ts';
import * as sharedChannels from './migrations/0007-shared-channels.ts';
import * as agesInOrder from './migrations/0008-ages-in-order.ts';
import * as bankSources from './migrations/0009-bank-sources.ts';
import * as chats from './migrations/0010-chats.ts';
import * as slots from './migrations/0011-slots.ts';
import * as provenAddresses from './migrations/0012-proven-addresses.ts';
import * as mailboxes from './migrations/0013-mailboxes-and-invitations.ts';
import * as bankSilence from './migrations/0014-bank-silence.ts';
import * as whatMessagesSay from './migrations/0015-what-messages-say.ts';
import * as alerts from './migrations/0016-alerts.ts';
import * as ownFigures from './migrations/0017-own-figures.ts';
import * as chartsQuestionsRepeats from './migrations/0018-charts-questions-repeats.ts';
import * as accessesOfDeletedAccounts from './migrations/0019-accesses-of-deleted-accounts.ts';
import * as unknownBankUsers from './migrations/0020-unknown-bank-users.ts';
import * as domainsInOneSpelling from './migrations/0021-domains-in-one-spelling.ts';
import * as unrevokedChats from './migrations/0022-unrevoked-chats.ts';
import * as failuresOfDeliveries from './migrations/0023-failures-of-deliveries.ts';
import * as numbersInOtherWritings from './migrations/0024-numbers-in-other-writings.ts';
import * as questionsOfNotifications from './migrations/0025-questions-of-notifications.ts';
import * as toldAlerts from './migrations/0026-told-alerts.ts';
import * as filesLeftInPlace from './migrations/0027-files-left-in-place.ts';
import type { OpenDatabase } from './open.ts';
import type { Schema } from './schema.ts';

/** Applied in the order of their names; there is no way back. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-bank-data': bankData,
  '0003-message': message,
  '0004-accounts': accounts,
  '0005-limits': limits,
  '0006-operators': operators,
  '0007-shared-channels': sharedChannels,
  '0008-ages-in-order': agesInOrder,
  '0009-bank-sources': bankSources,
  '0010-chats': chats,
  '0011-slots': slots,
  '0012-proven-addresses': provenAddresses,
  '0013-mailboxes-and-invitations': mailboxes,
  '0014-bank-silence': bankSilence,
  '0015-what-messages-say': whatMessagesSay,
  '0016-alerts': alerts,
  '0017-own-figures': ownFigures,
  '0018-charts-questions-repeats': chartsQuestionsRepeats,
  '0019-accesses-of-deleted-accounts': accessesOfDeletedAccounts,
  '0020-unknown-bank-users': unknownBankUsers,
  '0021-domains-in-one-spelling': domainsInOneSpelling,
  '0022-unrevoked-chats': unrevokedChats,
  '0023-failures-of-deliveries': failuresOfDeliveries,
  '0024-numbers-in-other-writings': numbersInOtherWritings,
  '0025-questions-of-notifications': questionsOfNotifications,
  '0026-told-alerts': toldAlerts,
  '0027-files-left-in-place': filesLeftInPlace,
};

/** The tables are those of a later version, which has migrated them. The message is in French. */
export class LaterSchema extends Error {
  override name = 'LaterSchema';

  constructor() {
    super(
      "La base a le schéma d'une version plus récente de Tirelire, et il n'y a pas de retour : démarrez cette version-là, ou restaurez avec celle-ci, dans une base vide, une sauvegarde d'avant.",
    );
  }
}

/**
 * Brings the schema up to date. Several processes may call it at once: one migrates, the others wait, as it
 * waits for a long transaction that uses a table: `onBlocked` is called each time. Throws `LaterSchema`.
 */
export async function migrate(
  database: OpenDatabase,
  onBlocked: (error: unknown) => void = () => {},
): Promise<void> {
  for (;;) {
    const age = await schemaAge(database);
    if (age === 'same') return;
    if (age === 'later') throw new LaterSchema();
    const timeouts = { ...noTimeouts, lockMs };
    const { error } = await withLongStatements(database, timeouts, ({ sql: separate }) =>
      migratorOf(separate).migrateToLatest(),
    );
    if (error && !hasErrorCode(error, lockNotAvailable)) throw error;
    if (error) {
      onBlocked(error);
      await sleep(betweenTriesMs);
    }
  }
}

/** What else needs a table that a migration waits for waits behind it: not for longer than this. */
const lockMs = 2000;
const betweenTriesMs = 4000;
const lockNotAvailable = '55P03';

/** False for a migration of a later version. */
export function isMigration(name: string): boolean {
  return Object.hasOwn(migrations, name);
}

/** Creates the schema as it was after the migration `name`, in an empty database. */
export async function migrateTo(database: OpenDatabase, name: string): Promise<void> {
  const { error } = await migratorOf(database.sql).migrateTo(name);
  if (error) throw error;
}

/** How the schema stands to the one of this version: a start brings an earlier one up to date. */
export async function schemaAge(database: OpenDatabase): Promise<'earlier' | 'same' | 'later'> {
  const last = await lastMigration(database.sql);
  if (last === newest) return 'same';
  return last === null || isMigration(last) ? 'earlier' : 'later';
}

const newest = Object.keys(migrations).sort().at(-1);

function migratorOf(db: Kysely<Schema>): Migrator {
  const provider = { getMigrations: async () => migrations };
  return new Migrator({ db, provider });
}

/**
 * Null in a new database. Faster than the migrator, which reads the catalog of all tables before it
 * finds nothing to do.
 */
export async function lastMigration(database: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as exists`.execute(database);
  if (!rows[0]?.exists) return null;
  const applied = await sql<{ name: string | null }>`
    select max(name collate "C") as name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    database,
  );
  return applied.rows[0]?.name ?? null;
}

/**
 * True when another process migrates, or did so since the beginning of `snapshot`, which lacks the rows of
 * tables that were rewritten. Otherwise migrations wait for the end of `snapshot`.
 */
export async function isMigrating(
  database: OpenDatabase,
  snapshot: Transaction<Schema>,
): Promise<boolean> {
  if (database.engine === 'embedded') return false;
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(migratorLock)}) as locked`.execute(snapshot);
  if (!rows[0]?.locked) return true;
  return (await lastMigration(snapshot)) !== (await lastMigration(database.sql));
}

/** The advisory lock that Kysely's migrator holds until its changes are committed. */
const migratorLock = 3853314791062309107n;
