import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import type { SealedColumn } from './sealed-column.ts';
import { VaultError } from './vault.ts';

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
