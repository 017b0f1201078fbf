import { atMost } from '../../platform/at-most.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import { findRefreshedAt, listConnections, type StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { listLinkedSources } from '../source-links/queries.ts';

/** How long a page waits for a source when the store has something to show. */
const patienceMs = 8_000;
const freshMs = 120_000;

/**
 * Brings the store up to date before it is shown. When a source is down or slow, the stored data is
 * shown, each figure with its own date; a user without stored data waits, and gets the error. With
 * `stored` no source is asked; with `fresh` the failure of a source is an error. On a full disk nothing
 * new can be stored.
 */
export async function refreshForPage(
  deps: Pick<BankingDeps, 'database' | 'clock' | 'bankRefreshes' | 'bankSources' | 'log'>,
  userId: string,
  { stored, fresh }: { stored?: '1'; fresh?: '1' },
): Promise<void> {
  if (stored || (!fresh && !deps.database.takesWrites())) return;
  const reading = deps.bankRefreshes.refresh(userId);
  try {
    if (fresh) return await reading;
    const isRead = await inTime(reading);
    if (!isRead && !(await findRefreshedAt(deps, userId))) await reading;
  } catch (error) {
    const isAnyStored = (await findRefreshedAt(deps, userId)) !== null;
    // Limits are met by reading often: what was read a moment ago is fresh.
    const isFresh = !fresh || (isLimitOfSource(error) && (await wasJustRead(deps, userId)));
    if (!isUnavailable(error) || !isAnyStored || !isFresh) throw error;
    deps.log.info({ err: error }, 'bank data is served from the store');
  }
}

/**
 * The user's first connection for which `isMeant` holds. One that the store does not hold may have been
 * made since the last reading: the sources are then read once, as for a page that asks for fresh data.
 * Throws a source's error, because without its answer the connection may exist; but where the limits of
 * calls leave no room and the store was read a moment ago, the store decides.
 */
export async function findConnection(
  deps: Parameters<typeof refreshForPage>[0],
  userId: string,
  isMeant: (connection: StoredConnection) => boolean,
  among: Parameters<typeof listConnections>[2] = 'shown',
): Promise<StoredConnection | undefined> {
  const stored = (await listConnections(deps, userId, among)).find(isMeant);
  if (stored) return stored;
  await refreshForPage(deps, userId, { fresh: '1' });
  return (await listConnections(deps, userId, among)).find(isMeant);
}

/**
 * Of the sources that pages read and whose last reading failed. Credentials that are refused are the state
 * of their connections, and a source that is no longer linked is not read.
 */
async function wasJustRead(
  deps: Pick<BankingDeps, 'database' | 'clock' | 'bankSources'>,
  userId: string,
): Promise<boolean> {
  const linked = await listLinkedSources(deps, userId);
  const hasFailed = (source: string, failure: string | null) =>
    failure !== null &&
    failure !== 'credentials' &&
    linked.includes(source) &&
    deps.bankSources.get(source)?.policy.atPageLoad === true;
  const since = await findRefreshedAt(deps, userId, hasFailed);
  return since !== null && deps.clock.now().getTime() - since.getTime() <= freshMs;
}

/** False when it takes longer than a page waits. The reading goes on, and its error is ignored. */
function inTime(reading: Promise<void>): Promise<boolean> {
  return atMost(
    patienceMs,
    reading.then(() => true),
    false,
  );
}

function isUnavailable(error: unknown): boolean {
  return (
    (error instanceof BankSourceError && error.kind === 'unavailable') || isLimitOfSource(error)
  );
}

function isLimitOfSource(error: unknown): boolean {
  return error instanceof BankSourceError && error.kind === 'limited';
}
