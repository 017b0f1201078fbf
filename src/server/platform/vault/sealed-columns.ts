import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import { VaultError } from './vault.ts';

/** A column whose values the vault sealed. Each module declares its own. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key. */
  key: string[];
  /** The additional data that a value was sealed with, from the key of its row. */
  additionalData(...key: string[]): string;
}

export interface ResealResult {
  /** Values that were sealed again under the newest key. */
  resealed: number;
  /** Values that no configured secret opens. Their content is lost. */
  unreadable: number;
}

type Needed = Pick<Platform, 'database' | 'vault'>;

/**
 * Seals every value of `columns` under the newest configured key, while other work goes on: a value
 * that changes meanwhile is skipped and read again in another pass. Every process that seals
 * must use the newest key by then. An interrupted run can be repeated: `signal` interrupts one.
 */
export async function resealEverything(
  deps: Needed,
  columns: SealedColumn[],
  signal?: AbortSignal,
): Promise<ResealResult> {
  const total = { resealed: 0, unreadable: 0 };
  for (;;) {
    const { resealed, unreadable } = await resealOnce(deps, columns, signal);
    total.resealed += resealed;
    total.unreadable = unreadable;
    if (resealed === 0) return total;
  }
}

async function resealOnce(
  deps: Needed,
  columns: SealedColumn[],
  signal: AbortSignal | undefined,
): Promise<ResealResult> {
  const total = { resealed: 0, unreadable: 0 };
  for await (const { column, key, sealed, renewed } of sealedValues(deps, columns)) {
    signal?.throwIfAborted();
    if (renewed === 'unreadable') total.unreadable += 1;
    else if (renewed !== null) {
      await replace(deps, column, { key, sealed }, renewed.sealed);
      total.resealed += 1;
    }
  }
  return total;
}

/** Changes nothing when the value is no longer the one that was read. */
async function replace(
  { database }: Needed,
  { table, column, key }: SealedColumn,
  row: Row,
  renewed: string,
): Promise<void> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
    where (${columns}) = (${sql.join(row.key)}) and ${sql.ref(column)} = ${row.sealed}`.execute(
    database.sql,
  );
}

export interface SealedCount {
  /** Under the newest key. */
  current: number;
  /** Under another of the configured keys. */
  older: number;
  /** Under none of them, or modified. */
  unreadable: number;
}

/** Tries to open every sealed value, without changing any. */
export async function countSealed(deps: Needed, columns: SealedColumn[]): Promise<SealedCount> {
  const count = { current: 0, older: 0, unreadable: 0 };
  for await (const { renewed } of sealedValues(deps, columns)) {
    if (renewed === null) count.current += 1;
    else count[renewed === 'unreadable' ? 'unreadable' : 'older'] += 1;
  }
  return count;
}

/** Every sealed value, and what sealing it under the newest key gives. */
async function* sealedValues(deps: Needed, columns: SealedColumn[]) {
  for (const column of columns) {
    for await (const row of rowsOf(deps, column)) {
      const renewed = renew(deps.vault, row.sealed, column.additionalData(...row.key));
      yield { ...row, column, renewed };
    }
  }
}

/** The value under the newest key; null when it is under that key already. */
function renew(
  vault: Platform['vault'],
  sealed: string,
  additionalData: string,
): { sealed: string } | 'unreadable' | null {
  try {
    const renewed = vault.renew(sealed, additionalData);
    return renewed === null ? null : { sealed: renewed };
  } catch (error) {
    if (error instanceof VaultError) return 'unreadable';
    throw error;
  }
}

interface Row {
  key: string[];
  sealed: string;
}

/** The rows with a sealed value in the order of their keys, read in slices. */
async function* rowsOf(
  { database }: Needed,
  { table, column, key }: SealedColumn,
): AsyncGenerator<Row> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const texts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
  let last: Row | undefined;
  do {
    const following = last ? sql`and (${columns}) > (${sql.join(last.key)})` : sql``;
    const { rows } = await sql<Row>`
      select array[${texts}] as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} <> '' ${following}
      order by ${columns} limit ${slice}`.execute(database.sql);
    yield* rows;
    last = rows.length === slice ? rows.at(-1) : undefined;
  } while (last);
}

const slice = 500;
