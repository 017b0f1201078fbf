import { type Kysely, sql, type Transaction } from 'kysely';
import { Check } from 'typebox/schema';
import { addMonthsOfHistory } from '../../notifications/deliveries/partitions.ts';
import { isMigration, lastMigration, migrate, migrateTo } from '../../platform/database/migrate.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { findOtherProcesses, holderLines } from '../../platform/database/secret-holders.ts';
import { BackupError, Footer, type Header, parseLine, readHeader, TableLine } from './format.ts';
import { listTables } from './tables.ts';
import { markUnfinished } from './unfinished.ts';

/** A backup whose header was read; `rest` are the following lines. */
export interface OpenedBackup {
  header: Header;
  rest: AsyncIterator<string>;
}

/** Throws `BackupError` when the first line is not the header of a backup. */
export async function openBackup(lines: AsyncIterable<string>): Promise<OpenedBackup> {
  const rest = lines[Symbol.asyncIterator]();
  const first = await rest.next();
  return { header: readHeader(first.done ? '' : first.value), rest };
}

/**
 * Throws `BackupError` when another process of the program uses the database: it would send what is due
 * before `prepareToRun` keeps that from leaving again. `connection` is the only one of this process.
 */
export async function requireNoOtherProcess(connection: Kysely<Schema>): Promise<void> {
  const others = await findOtherProcesses(connection);
  if (others.length === 0) return;
  throw new BackupError(
    [
      "D'autres processus de Tirelire utilisent cette base, et enverraient ce qui attend pendant la restauration :",
      ...holderLines(others),
      "Arrêtez-les, puis relancez cette commande. Rien n'a été changé.",
    ].join('\n'),
  );
}

/** Throws `BackupError` when the backup does not fit into the database: it has rows, or other tables of ours. */
export async function requireEmptyDatabase(
  { sql: database }: OpenDatabase,
  { migration }: Header,
): Promise<void> {
  if (!isMigration(migration)) {
    throw new BackupError(
      "Cette sauvegarde vient d'une version plus récente de Tirelire : restaurez-la avec celle-là. Rien n'a été changé.",
    );
  }
  for (const table of await listTables(database)) {
    const { rows } = await sql`select 1 from ${sql.id(table)} limit 1`.execute(database);
    if (rows.length > 0) {
      throw new BackupError(`Cette base n'est pas vide (table ${table}). ${elsewhere}`);
    }
  }
  const applied = await lastMigration(database);
  if (applied && applied !== migration) {
    throw new BackupError(
      `Cette base est vide, mais une autre version de Tirelire que celle de la sauvegarde y a créé ses tables. ${elsewhere}`,
    );
  }
}

const elsewhere =
  "Rien n'a été changé : restaurez dans un autre DATA_DIR, ou dans une base PostgreSQL neuve.";

/**
 * Inserts the rows of a backup into a database that `requireEmptyDatabase` has looked at, all of them or none,
 * and then migrates it to this version. No process starts on them before `prepareToRun`. Throws `BackupError`.
 */
export async function restoreBackup(
  database: OpenDatabase,
  { header, rest }: OpenedBackup,
): Promise<Restored> {
  await migrateTo(database, header.migration);
  await addMonthsOfHistory(database);
  const lines = { [Symbol.asyncIterator]: () => rest };
  const restored = await database.sql.transaction().execute(async (transaction) => {
    const filled = await fill(transaction, lines);
    await continueSequences(transaction);
    await markUnfinished(transaction);
    return filled;
  });
  await migrate(database);
  await continueAccountNumbers(database);
  return restored;
}

interface Restored {
  /** The number of rows that were inserted. */
  rows: number;
  /** How many rows of tables were left out that are none of the program: somebody made them beside. */
  foreign: ReadonlyMap<string, number>;
}

async function fill(
  transaction: Transaction<Schema>,
  lines: AsyncIterable<string>,
): Promise<Restored> {
  const known = new Set(await listTables(transaction));
  const foreign = new Map<string, number>();
  let table = '';
  let total = 0;
  let announced: number | null = null;
  let waiting: string[] = [];
  const write = async (): Promise<void> => {
    total += waiting.length;
    const left = foreign.get(table);
    if (left === undefined) await insert(transaction, table, waiting);
    else foreign.set(table, left + waiting.length);
    waiting = [];
  };
  for await (const line of lines) {
    if (announced !== null) {
      throw new BackupError('La sauvegarde est abîmée : elle continue après sa fin.');
    }
    const start =
      line.startsWith('{"table":') || line.startsWith('{"rows":') ? parseLine(line) : null;
    if (Check(Footer, start)) {
      await write();
      // Read to the very end, where the checksum of the file is.
      announced = start.rows;
    } else if (Check(TableLine, start)) {
      await write();
      table = start.table;
      if (!known.has(table)) foreign.set(table, foreign.get(table) ?? 0);
    } else if (waiting.push(line) >= slice) await write();
  }
  const left = [...foreign.values()].reduce((sum, count) => sum + count, 0);
  if (announced === total) return { rows: total - left, foreign };
  throw new BackupError("La sauvegarde est incomplète. Rien n'a été changé.");
}

/** The numbers drawn from now on follow those that the rows have. */
async function continueSequences(transaction: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<{ sequence: string; table: string; column: string }>`
    select s.relname as sequence, t.relname as table, a.attname as column
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype = 'a'
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`.execute(transaction);
  for (const { sequence, table, column } of rows) {
    await sql`select setval(${sequence}::regclass, max(${sql.ref(column)})) from ${sql.table(table)}
      having max(${sql.ref(column)}) > 0`.execute(transaction);
  }
}

/** Nor does a new account get the number of an erased one that notifications may still name. */
async function continueAccountNumbers({ sql: database }: OpenDatabase): Promise<void> {
  await sql`select setval('bank_account_ids', used.last) from (select greatest(
      (select max(id) from bank_accounts), (select max(account_id) from messenger_accounts),
      (select max(case when key ~ '^[0-9]+$' then key::bigint end) from message_operations, jsonb_object_keys(
        case jsonb_typeof(accounts) when 'object' then accounts else '{}' end) key),
      (select max(id::bigint) from message_operations, jsonb_array_elements_text(
        case jsonb_typeof(accounts) when 'array' then accounts else '[]' end) id)
    ) as last) used where used.last > 0`.execute(database);
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
