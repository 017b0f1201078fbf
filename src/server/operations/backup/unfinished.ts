import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { BackupError } from './format.ts';

/**
 * A comment on a table that is no part of a backup says that the rows are restored and not prepared to run
 * yet. A restore that is killed leaves it behind.
 */
const mark = 'restored, and not prepared to run';
const table = sql.table(DEFAULT_MIGRATION_TABLE);

/** In the transaction that inserts the rows. */
export async function markUnfinished(transaction: Kysely<Schema>): Promise<void> {
  await sql`comment on table ${table} is ${sql.lit(mark)}`.execute(transaction);
}

export async function markFinished(database: Kysely<Schema>): Promise<void> {
  await sql`comment on table ${table} is null`.execute(database);
}

export async function isUnfinished({ sql: database }: OpenDatabase): Promise<boolean> {
  const { rows } = await sql<{ comment: string | null }>`
    select obj_description(${DEFAULT_MIGRATION_TABLE}::regclass, 'pg_class') as comment`.execute(
    database,
  );
  return rows[0]?.comment === mark;
}

/** Throws `BackupError` where a start would send what the original installation may have sent. */
export async function requireFinished(database: OpenDatabase): Promise<void> {
  if (await isUnfinished(database)) throw new BackupError(`${unfinishedWords} ${unfinishedRemedy}`);
}

export const unfinishedWords =
  "Une restauration n'est pas allée jusqu'au bout dans cette base : des messages partiraient une seconde fois.";
export const unfinishedRemedy = 'Recommencez-la dans une autre base vide.';
