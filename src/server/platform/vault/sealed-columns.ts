import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import { VaultError } from './vault.ts';

type Needed = Pick<Platform, 'database' | 'vault'>;

export interface Rotation {
  /** Values that are under the newest key since just now. */
  resealed: number;
  /** Values that no configured secret opens: what they held is lost, and asked for again when needed. */
  unreadable: number;
}

/**
 * Brings every value of `columns` under the newest configured key, some rows at a time, beside
 * whatever else goes on: a value that changes meanwhile is left alone and looked at once more. Every
 * process that seals must know the newest key by then. May be broken off and done again.
 */
export async function resealEverything(deps: Needed, columns: SealedColumn[]): Promise<Rotation> {
  const total = { resealed: 0, unreadable: 0 };
  for (;;) {
    const { resealed, unreadable } = await resealOnce(deps, columns);
    total.resealed += resealed;
    total.unreadable = unreadable;
    if (resealed === 0) return total;
  }
}

async function resealOnce(deps: Needed, columns: SealedColumn[]): Promise<Rotation> {
  const total = { resealed: 0, unreadable: 0 };
  for (const column of columns) {
    let after: Row | undefined;
    do {
      const rows: Row[] = await readRows(deps, column, after);
      for (const row of rows) {
        const end = await reseal(deps, column, row);
        if (end) total[end] += 1;
      }
      after = rows.length === slice ? rows.at(-1) : undefined;
    } while (after);
  }
  return total;
}

const slice = 500;

interface Row {
  key: string[];
  sealed: string;
}

/** In the order of their keys, from the one after `after` on. */
async function readRows(
  { database }: Needed,
  { table, column, key }: SealedColumn,
  after: Row | undefined,
): Promise<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const texts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
  const following = after ? sql`and (${columns}) > (${sql.join(after.key)})` : sql``;
  const { rows } = await sql<Row>`
    select array[${texts}] as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(column)} <> '' ${following}
    order by ${columns} limit ${slice}`.execute(database.sql);
  return rows;
}

async function reseal(
  { database, vault }: Needed,
  { table, column, key, additionalData }: SealedColumn,
  row: Row,
): Promise<keyof Rotation | null> {
  let renewed: string | null;
  try {
    renewed = vault.renew(row.sealed, additionalData(...row.key));
  } catch (error) {
    if (error instanceof VaultError) return 'unreadable';
    throw error;
  }
  if (renewed === null) return null;
  const columns = sql.join(key.map((name) => sql.ref(name)));
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where (${columns}) = (${sql.join(row.key)}) and ${sql.ref(column)} = ${row.sealed}`.execute(
    database.sql,
  );
  return 'resealed';
}

/** A column whose values the vault sealed. Each module lists its own. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns that name a row. */
  key: string[];
  /** What a value is bound to, by the key of its row: moved to another row it does not open. */
  additionalData(...key: string[]): string;
}

export interface SealedCount {
  /** Under the newest key. */
  current: number;
  /** Under another of the configured keys. */
  older: number;
  /** Under none of them, or changed. */
  unreadable: number;
}

/** Tries every sealed value without changing any. */
export async function countSealed(
  { database, vault }: Pick<Platform, 'database' | 'vault'>,
  columns: SealedColumn[],
): Promise<SealedCount> {
  const count = { current: 0, older: 0, unreadable: 0 };
  for (const { table, column, key, additionalData } of columns) {
    const texts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
    const { rows } = await sql<{ key: string[]; sealed: string }>`
      select array[${texts}] as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} <> ''`.execute(database.sql);
    for (const row of rows) count[stateOf(vault, row.sealed, additionalData(...row.key))] += 1;
  }
  return count;
}

function stateOf(
  vault: Platform['vault'],
  sealed: string,
  additionalData: string,
): keyof SealedCount {
  try {
    return vault.renew(sealed, additionalData) === null ? 'current' : 'older';
  } catch (error) {
    if (error instanceof VaultError) return 'unreadable';
    throw error;
  }
}
