import { sql } from 'kysely';
import type { Platform } from '../platform.ts';
import { sealedColumns } from './sealed-columns.ts';
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
export async function countSealed({
  database,
  vault,
}: Pick<Platform, 'database' | 'vault'>): Promise<SealedCount> {
  const count = { current: 0, older: 0, unreadable: 0 };
  for (const { table, column, key, place } of sealedColumns) {
    const texts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
    const { rows } = await sql<{ key: string[]; sealed: string }>`
      select array[${texts}] as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} <> ''`.execute(database.sql);
    for (const row of rows) count[stateOf(vault, row.sealed, place(...row.key))] += 1;
  }
  return count;
}

function stateOf(vault: Platform['vault'], sealed: string, place: string): keyof SealedCount {
  try {
    return vault.renew(sealed, place) === null ? 'current' : 'older';
  } catch (error) {
    if (error instanceof VaultError) return 'unreadable';
    throw error;
  }
}
