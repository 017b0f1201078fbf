import { sql, type Transaction } from 'kysely';
import { Check } from 'typebox/schema';
import { isMigration, lastMigration, migrate, migrateTo } from '../../platform/database/migrate.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { BackupError, Foot, type Head, parse, readHead, TableLine } from './format.ts';
import { listTables } from './tables.ts';

/** A backup whose head is read and whose rows are still to come. */
export interface OpenedBackup {
  head: Head;
  rest: AsyncIterator<string>;
}

/** Throws `BackupError` when these are no lines of a backup. */
export async function openBackup(lines: AsyncIterable<string>): Promise<OpenedBackup> {
  const rest = lines[Symbol.asyncIterator]();
  const first = await rest.next();
  return { head: readHead(first.done ? '' : first.value), rest };
}

/**
 * Fills an empty database with the rows of a backup, all of them or none, and brings it up to date.
 * Returns how many rows there were. Throws `BackupError`.
 */
export async function restoreBackup(
  database: OpenDatabase,
  { head, rest }: OpenedBackup,
): Promise<number> {
  await prepare(database, head);
  const lines = { [Symbol.asyncIterator]: () => rest };
  const rows = await database.sql.transaction().execute((transaction) => fill(transaction, lines));
  await migrate(database);
  return rows;
}

/** Makes the tables as they were then. What stands in a database is never overwritten. */
async function prepare(database: OpenDatabase, { migration }: Head): Promise<void> {
  if (!isMigration(migration)) {
    throw new BackupError(
      'Cette sauvegarde vient d’une version plus récente de Tirelire : restaurez-la avec celle-là. Rien n’a été changé.',
    );
  }
  const applied = await lastMigration(database);
  if (applied === null) await migrateTo(database, migration);
  for (const table of await listTables(database.sql)) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(database.sql);
    if (rows.length > 0 || (applied && applied !== migration)) {
      throw new BackupError(
        'Cette base n’est pas vide. Rien n’a été changé : restaurez dans un autre DATA_DIR, ou dans une base PostgreSQL neuve.',
      );
    }
  }
}

async function fill(
  transaction: Transaction<Schema>,
  lines: AsyncIterable<string>,
): Promise<number> {
  const known = new Set(await listTables(transaction));
  let table = '';
  let total = 0;
  let waiting: string[] = [];
  const write = async (): Promise<void> => {
    total += waiting.length;
    await insert(transaction, table, waiting);
    waiting = [];
  };
  for await (const line of lines) {
    const start = line.startsWith('{"table":') || line.startsWith('{"rows":') ? parse(line) : null;
    if (Check(Foot, start)) {
      await write();
      if (start.rows === total) return total;
      break;
    }
    if (Check(TableLine, start) && Object.keys(start).length === 1) {
      await write();
      if (!known.has(start.table)) throw new BackupError(`Table inconnue : ${start.table}.`);
      table = start.table;
    } else if (waiting.push(line) >= slice) await write();
  }
  throw new BackupError('La sauvegarde est incomplète. Rien n’a été changé.');
}

async function insert(
  transaction: Transaction<Schema>,
  table: string,
  lines: string[],
): Promise<void> {
  if (lines.length === 0) return;
  await sql`insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)},
      ${`[${lines.join(',')}]`}::text::json)`.execute(transaction);
}

const slice = 500;
