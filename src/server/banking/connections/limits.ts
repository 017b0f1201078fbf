import type { Transaction } from 'kysely';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { type LinkKey, readSecretIn } from '../source-links/queries.ts';
import { listConnections } from './queries.ts';

/** The most banks of one person. */
const maxConnections = 50;

/** The most ways back from a bank's page that are kept of a person and a purpose. */
export const maxOpenPages = 20;

/** Throws Too_Many_Banks. Connections above the limit stay as they are. */
export async function checkConnectionLimit(
  deps: Pick<Platform, 'database'>,
  userId: string,
): Promise<void> {
  const { length } = await listConnections(deps, userId);
  if (length >= maxConnections) throw new ApiError(bankingErrors.Too_Many_Banks);
}

/** Whether as many banks as pages to add one may be open at once would exceed the limit. */
export async function isNearLimit(
  deps: Pick<Platform, 'database'>,
  userId: string,
): Promise<boolean> {
  const { length } = await listConnections(deps, userId);
  return length + maxOpenPages >= maxConnections;
}

/** Whether a bank that was added at a source, by its id there, is not stored because of the limit. */
export async function isAboveLimit(
  deps: Pick<Platform, 'database'>,
  userId: string,
  { source, sourceId }: { source: string; sourceId: string },
): Promise<boolean> {
  const rows = await listConnections(deps, userId, 'with hidden ones');
  if (rows.some((row) => row.source === source && row.source_id === sourceId)) return false;
  return rows.filter((row) => row.gone_at === null).length >= maxConnections;
}

/**
 * Throws Too_Many_Banks where those of these connections that are not stored yet would exceed the limit.
 * Called in the transaction that is about to write them. The user must be locked.
 */
export async function checkAddedConnections(
  transaction: Transaction<Schema>,
  { userId, source }: LinkKey,
  sourceIds: string[],
): Promise<void> {
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
 * Does `add`, which may give a person one more access at a source: it opens one bank at least. Throws
 * Too_Many_Banks where that would exceed the limit. The user must be locked.
 */
export async function addWithinLimit(
  deps: Needed,
  transaction: Transaction<Schema>,
  key: LinkKey,
  add: () => Promise<void>,
): Promise<void> {
  const banks = await countBanks(deps, transaction, key.userId);
  const before = await countAccesses(deps, transaction, key);
  await add();
  if (banks < maxConnections) return;
  const isAdded = (await countAccesses(deps, transaction, key)) > before;
  if (isAdded) throw new ApiError(bankingErrors.Too_Many_Banks);
}

/**
 * Of the connections that a source lists, by its ids, those that are not stored yet and would exceed the
 * limit; stored ones that it no longer lists make room. Called in the transaction that is about to write
 * the others, before it locks anything else.
 */
export async function connectionsAboveLimit(
  deps: Needed,
  transaction: Transaction<Schema>,
  { userId, source }: LinkKey,
  listed: string[],
): Promise<string[]> {
  const read = () =>
    transaction
      .selectFrom('bank_connections')
      .select(['source_id', 'gone_at'])
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
  const addedTo = (stored: Awaited<ReturnType<typeof read>>) =>
    listed.filter((id) => !stored.some((row) => row.source_id === id));
  if (addedTo(await read()).length === 0) return [];
  await lockUser(transaction, userId);
  const stored = await read();
  const missing = stored.filter((row) => row.gone_at === null && !listed.includes(row.source_id));
  const banks = (await countBanks(deps, transaction, userId)) - missing.length;
  return addedTo(stored).slice(Math.max(0, maxConnections - banks));
}

type Needed = Pick<BankingDeps, 'bankSources' | 'vault'>;

/**
 * How many banks a person has. Each access of which no bank is stored counts for one, because its first
 * reading may be under way.
 */
async function countBanks(
  deps: Needed,
  transaction: Transaction<Schema>,
  userId: string,
): Promise<number> {
  const stored = await transaction
    .selectFrom('bank_connections')
    .select('source')
    .where('user_id', '=', userId)
    .where('gone_at', 'is', null)
    .execute();
  let count = stored.length;
  for (const source of deps.bankSources.keys()) {
    const { length: read } = stored.filter((row) => row.source === source);
    count += Math.max(0, (await countAccesses(deps, transaction, { userId, source })) - read);
  }
  return count;
}

/** How many accesses a person's own credentials hold at a source: none before the first bank. */
async function countAccesses(
  { bankSources, vault }: Needed,
  transaction: Transaction<Schema>,
  { userId, source }: LinkKey,
): Promise<number> {
  const connect = bankSources.get(source)?.connect;
  const access = connect?.kind === 'redirect' ? connect.access : connect;
  if (!access || !('countAccesses' in access)) return 0;
  const secret = await readSecretIn(transaction, vault, userId, source);
  return secret === null ? 0 : access.countAccesses(secret);
}

/** The most accounts of one bank that a person adds by hand: nothing else limits them. */
const maxAccounts = 100;

/**
 * Throws Too_Many_Accounts when these accounts of a source, by the source's ids, would bring one of its
 * connections above the limit. Those that are there already stay. The user must be locked.
 */
export async function checkAccountLimit(
  transaction: Transaction<Schema>,
  { userId, source }: LinkKey,
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
    const message = `«\u202f${ofBank[0]?.bank}\u202f» aurait plus de ${maxAccounts} comptes\u202f: c'est le maximum.`;
    throw new ApiError(bankingErrors.Too_Many_Accounts, { message });
  }
}
