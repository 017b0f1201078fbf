import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { LinkKey } from '../source-links/queries.ts';

type Data = Pick<Platform, 'database'>;

export type StoredConnection = Selectable<Schema['bank_connections']>;
export type StoredAccount = Selectable<Schema['bank_accounts']>;

/** The owner's connections as they were last read. Those that the last reading lacked are hidden. */
export async function listConnections(
  { database }: Data,
  userId: string,
  which: 'shown' | 'with hidden ones' = 'shown',
): Promise<StoredConnection[]> {
  const rows = await database.cached(`bank connections:${userId}`, (reader) =>
    reader
      .selectFrom('bank_connections')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
  );
  return which === 'shown' ? rows.filter((row) => row.gone_at === null) : rows;
}

/** The source's ids of a link's connections. */
export async function listSourceIds(
  database: Kysely<Schema>,
  { userId, source }: LinkKey,
): Promise<string[]> {
  const rows = await database
    .selectFrom('bank_connections')
    .select('source_id')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
  return rows.map((row) => row.source_id);
}

/** The owner's accounts that their sources listed last, each with the hour of its figure. */
export async function listAccounts({ database }: Data, userId: string): Promise<StoredAccount[]> {
  return await database.cached(`bank accounts:${userId}`, (reader) =>
    reader
      .selectFrom('bank_accounts')
      .selectAll()
      .where('user_id', '=', userId)
      .where('gone_at', 'is', null)
      .orderBy('id')
      .execute(),
  );
}

/**
 * When the oldest of the stored readings began, of the sources for which `isMeant` holds; `failure` is how
 * the last attempt failed. Null when nothing of them was ever read.
 */
export async function findRefreshedAt(
  { database }: Data,
  userId: string,
  isMeant: (source: string, failure: string | null) => boolean = () => true,
): Promise<Date | null> {
  const rows = await database.cached(`bank refreshes:${userId}`, (reader) =>
    reader
      .selectFrom('bank_refreshes')
      .select(['source', 'refreshed_at', 'failure'])
      .where('user_id', '=', userId)
      .where('refreshed_at', 'is not', null)
      .orderBy('refreshed_at')
      .execute(),
  );
  return rows.find(({ source, failure }) => isMeant(source, failure))?.refreshed_at ?? null;
}
