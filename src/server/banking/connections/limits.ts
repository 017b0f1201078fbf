import type { Transaction } from 'kysely';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { bankingErrors } from '../errors.ts';
import { listConnections } from './queries.ts';

/** The most banks of one person. */
const maxConnections = 50;

/** Throws Too_Many_Banks. Connections above the limit stay as they are. */
export async function checkConnectionLimit(
  deps: Pick<Platform, 'database'>,
  ownerId: string,
): Promise<void> {
  const { length } = await listConnections(deps, ownerId);
  if (length >= maxConnections) throw new ApiError(bankingErrors.Too_Many_Banks);
}

/**
 * Throws Too_Many_Banks where those of these connections that are not stored yet would exceed the limit.
 * Called in the transaction that is about to write them.
 */
export async function checkAddedConnections(
  transaction: Transaction<Schema>,
  { userId, source }: { userId: string; source: string },
  sourceIds: string[],
): Promise<void> {
  if (!(await lockUser(transaction, userId))) throw new ApiError(httpErrors.Not_Found);
  const stored = await transaction
    .selectFrom('bank_connections')
    .select(['source', 'source_id'])
    .where('user_id', '=', userId)
    .where('gone_at', 'is', null)
    .execute();
  const known = new Set(stored.flatMap((one) => (one.source === source ? one.source_id : [])));
  const added = sourceIds.filter((id) => !known.has(id)).length;
  if (added > 0 && stored.length + added > maxConnections) {
    throw new ApiError(bankingErrors.Too_Many_Banks);
  }
}

/**
 * Throws Too_Many_Banks where one more access of a person, which opens one bank at least, would exceed the
 * limit. `accesses`: how many the person has had at each source. Those of which no bank is stored count
 * for one each, because their first reading may be under way. The user must be locked.
 */
export async function checkAddedAccess(
  transaction: Transaction<Schema>,
  userId: string,
  accesses: ReadonlyMap<string, number>,
): Promise<void> {
  const stored = await transaction
    .selectFrom('bank_connections')
    .select('source')
    .where('user_id', '=', userId)
    .where('gone_at', 'is', null)
    .execute();
  let count = stored.length + 1;
  for (const [source, ofSource] of accesses) {
    const { length: read } = stored.filter((row) => row.source === source);
    count += Math.max(0, ofSource - read);
  }
  if (count > maxConnections) throw new ApiError(bankingErrors.Too_Many_Banks);
}

/** The most accounts of one bank that a person adds by hand: nothing else limits them. */
const maxAccounts = 100;

/**
 * Throws Too_Many_Accounts when these accounts of a source, by the source's ids, would bring one of its
 * connections above the limit. Those that are there already stay. The user must be locked.
 */
export async function checkAccountLimit(
  transaction: Transaction<Schema>,
  { userId, source }: { userId: string; source: string },
  given: { id: string; connectionId: string; bank: string }[],
): Promise<void> {
  const stored = await transaction
    .selectFrom('bank_accounts as a')
    .innerJoin('bank_connections as c', (join) =>
      join.onRef('c.user_id', '=', 'a.user_id').onRef('c.id', '=', 'a.connection_id'),
    )
    .select(['a.source_id', 'c.source_id as connection'])
    .where('a.user_id', '=', userId)
    .where('a.source', '=', source)
    .execute();
  const known = new Set(stored.map((row) => row.source_id));
  for (const [connectionId, ofBank] of Map.groupBy(given, (one) => one.connectionId)) {
    const before = stored.filter(({ connection }) => connection === connectionId).length;
    const added = ofBank.filter(({ id }) => !known.has(id)).length;
    if (added === 0 || before + added <= maxAccounts) continue;
    const message = `«\u202f${ofBank[0]?.bank}\u202f» aurait plus de ${maxAccounts} comptes, et c'est le maximum.`;
    throw new ApiError(bankingErrors.Too_Many_Accounts, { message });
  }
}
