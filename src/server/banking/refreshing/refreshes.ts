import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import { VaultError } from '../../platform/vault/vault.ts';
import type { Presence, SourceLink } from '../../providers/banks/connect.ts';
import {
  type BankReading,
  type BankSource,
  BankSourceError,
  isBankFailure,
} from '../../providers/banks/port.ts';
import type { MissingAnswer } from '../connections/missing.ts';
import {
  eraseForgottenLink,
  findRefreshedAt,
  listConnections,
  listSourceIds,
  type StoredConnection,
} from '../connections/queries.ts';
import { storeReading } from '../connections/store.ts';
import type { BankingDeps, BankRefreshes } from '../deps.ts';
import { findLink, listLinkedSources } from '../source-links/queries.ts';
import {
  dropLease,
  type Lease,
  type LinkKey,
  leaseMs,
  markRefused,
  readLease,
  takeLease,
} from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'banks' | 'log' | 'figures'>;

export function createBankRefreshes(deps: Needed, withinMs = togetherMs): BankRefreshes {
  const ofLinks = createSharedRuns(withinMs);
  const ofPages = createSharedRuns(withinMs);
  const read = async (
    userId: string,
    sources: string[],
    presence: Presence | null,
  ): Promise<void> => {
    const readings = sources.map((source) =>
      ofLinks(`${source} ${userId}`, (began) =>
        refreshAlone(deps, { userId, source }, began, presence),
      ),
    );
    // The failure of one source is thrown only after all the others were read.
    await Promise.allSettled(readings);
    await Promise.all(readings);
  };
  return {
    refresh: (userId, source, presence) =>
      source
        ? read(userId, [source], presence ?? null)
        : ofPages(userId, async () => read(userId, await sourcesOfPages(deps, userId), null)),
  };
}

/** Calls this close together share a run, because a page asks for several lists at once. */
const togetherMs = 100;

/**
 * Runs the work of one key once at a time. A call joins a run that began so shortly before it; any other
 * one waits for the present run to end, and shares the next with all who wait.
 */
function createSharedRuns(withinMs: number) {
  type Work = (beganMs: number) => Promise<void>;
  const running = new Map<string, { began: number; run: Promise<void> }>();
  const next = new Map<string, Promise<void>>();
  const start = (key: string, work: Work): Promise<void> => {
    const began = monotonicMs();
    const run = work(began).finally(() => running.delete(key));
    running.set(key, { began, run });
    return run;
  };
  const startAfter = async (key: string, work: Work, run: Promise<void>): Promise<void> => {
    await run.catch(() => {});
    next.delete(key);
    await start(key, work);
  };
  return (key: string, work: Work): Promise<void> => {
    const current = running.get(key);
    if (!current) return start(key, work);
    if (monotonicMs() - current.began <= withinMs) return current.run;
    const following = next.get(key) ?? startAfter(key, work, current.run);
    next.set(key, following);
    return following;
  };
}

async function sourcesOfPages(deps: Needed, userId: string): Promise<string[]> {
  const linked = await listLinkedSources(deps, userId);
  return linked.filter((source) => deps.banks.get(source)?.policy.atPageLoad);
}

async function refreshAlone(
  deps: Needed,
  key: LinkKey,
  askedAt: number,
  presence: Presence | null,
): Promise<void> {
  const source = deps.banks.get(key.source);
  if (!source || !(await findUsableLink(deps, key))) return;
  let lease = await takeLease(deps, key);
  while (!lease) {
    const isShared = await awaitOther(deps, key, askedAt);
    if (isShared) return;
    lease = await takeLease(deps, key);
  }
  // Found again under the lease: it may have been removed, or have another secret, since the wait began.
  const link = await findUsableLink(deps, key);
  if (link) await readUnder(lease, deps, key, source, link, presence);
  else await dropLease(deps, key, lease, null);
}

/** Null also when no configured secret opens the person's credentials: the connections then show it. */
async function findUsableLink(deps: Needed, key: LinkKey): Promise<SourceLink | null> {
  try {
    return await findLink(deps, key.userId, key.source);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    await markRefused(deps, key);
    return null;
  }
}

/**
 * Reads and ends the lease. Two failures are not thrown, because the store shows them: the source has
 * forgotten the user, whose data is erased, or refuses their credentials, which is then the state of
 * their connections.
 */
async function readUnder(
  lease: Lease,
  deps: Needed,
  key: LinkKey,
  source: BankSource,
  link: SourceLink,
  presence: Presence | null,
): Promise<void> {
  try {
    await readAndStore(lease, deps, key, source, link, presence);
  } catch (error) {
    const kind = error instanceof BankSourceError ? error.kind : null;
    // Asked a second time in another way. Without a clear answer, nothing is erased.
    const askAgain = async () => (await source.users?.hasForgotten(link)) ?? false;
    const isGone = kind === 'unknown-user' && (await askAgain().catch(() => false));
    if (kind === 'credentials') await markRefused(deps, key);
    await dropLease(deps, key, lease, isGone ? null : kind);
    if (isGone) {
      await eraseForgottenLink(deps, link, key.source);
      deps.log.warn(key, 'erased what a forgotten user had at the bank service');
    } else if (kind !== 'credentials') throw error;
  }
}

const mostReadings = 3;

/** After an erasure it reads with the link as it then is: the earlier one would bring back what went. */
async function readAndStore(
  { erasures: atFirst, until }: Lease,
  deps: Needed,
  key: LinkKey,
  source: BankSource,
  first: SourceLink,
  presence: Presence | null,
): Promise<void> {
  let [link, erasures]: [SourceLink | null, number] = [first, atFirst];
  for (let count = 0; count < mostReadings; count += 1) {
    const startedAt = deps.clock.now();
    const known = await listSourceIds(deps, key);
    const read = await source.read(link, presence, known);
    const asked = await askAbout(source, link, missingIn(known, read));
    if (await storeReading(deps, { ...key, startedAt, erasures, until }, read, asked)) return;
    ({ erasures } = await readLease(deps, key));
    link = await findUsableLink(deps, key);
    if (!link) return await dropLease(deps, key, { erasures, until }, null);
  }
  throw new BankSourceError('unavailable', 'The data was erased during each reading');
}

function missingIn(known: string[], { connections, unread = [] }: BankReading): string[] {
  const told = new Set([...connections, ...unread].map(({ id }) => id));
  return known.filter((id) => !told.has(id));
}

/** Each costs a call. The others wait for another reading. */
const mostAsked = 10;

/** What the source says of connections that its list lacked. A question that fails says nothing. */
async function askAbout(
  source: BankSource,
  link: SourceLink,
  missing: string[],
): Promise<MissingAnswer> {
  const asked: MissingAnswer = { gone: [], there: [] };
  if (!source.hasConnection) return asked;
  for (const id of missing.slice(0, mostAsked)) {
    try {
      const isThere = await source.hasConnection(link, id);
      (isThere ? asked.there : asked.gone).push(id);
    } catch (error) {
      if (!(error instanceof BankSourceError)) throw error;
    }
  }
  return asked;
}

/**
 * Waits until the reading of another worker has ended. True when that reading began no earlier than
 * this call and succeeded; throws its error when it failed. False when it began earlier or at an
 * unknown moment, or when its worker died: the caller then reads itself.
 */
async function awaitOther(deps: Needed, key: LinkKey, askedAt: number): Promise<boolean> {
  let isShared = false;
  for (;;) {
    const { leasedForMs, failure } = await readLease(deps, key);
    if (leasedForMs === null && isShared && isBankFailure(failure)) {
      throw new BankSourceError(failure, 'The reading of another worker failed');
    }
    if (leasedForMs === null) return isShared;
    if (leasedForMs > leaseMs) return false;
    isShared = leasedForMs <= monotonicMs() - askedAt + togetherMs;
    await sleep(checkEveryMs);
  }
}

const checkEveryMs = 150;

/** How long a page waits for a source when the store has something to show. */
const patienceMs = 8_000;
const freshMs = 120_000;

/**
 * Brings the store up to date before it is shown. When a source is down or slow, the stored data is
 * shown, each figure with its own date; a user without stored data waits, and gets the error. With
 * `stored` no source is asked; with `fresh` the failure of a source is an error. On a full disk nothing
 * new can be stored.
 */
export async function bringUpToDate(
  deps: Pick<BankingDeps, 'database' | 'clock' | 'bankRefreshes' | 'log'>,
  ownerId: string,
  { stored, fresh }: { stored?: '1'; fresh?: '1' },
): Promise<void> {
  if (stored || (!fresh && !deps.database.takesWrites())) return;
  const reading = deps.bankRefreshes.refresh(ownerId);
  try {
    if (fresh) return await reading;
    const isRead = await inTime(reading);
    if (!isRead && !(await findRefreshedAt(deps, ownerId))) await reading;
  } catch (error) {
    const since = await findRefreshedAt(deps, ownerId);
    const isOld = !since || deps.clock.now().getTime() - since.getTime() > freshMs;
    // Limits are met by reading often: what was read a moment ago is fresh.
    if (!isUnavailable(error) || !since || (fresh && (isOld || !isLimit(error)))) throw error;
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
  deps: Parameters<typeof bringUpToDate>[0],
  ownerId: string,
  isMeant: (connection: StoredConnection) => boolean,
): Promise<StoredConnection | undefined> {
  const stored = (await listConnections(deps, ownerId)).find(isMeant);
  if (stored) return stored;
  await bringUpToDate(deps, ownerId, { fresh: '1' });
  return (await listConnections(deps, ownerId)).find(isMeant);
}

/** False when it takes longer than a page waits. The reading goes on, and its error is ignored. */
async function inTime(reading: Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(patienceMs, false, { signal: patience.signal, ref: false }).catch(() => false);
  try {
    return await Promise.race([reading.then(() => true), late]);
  } finally {
    patience.abort();
    reading.catch(() => {});
  }
}

function isUnavailable(error: unknown): boolean {
  return (error instanceof BankSourceError && error.kind === 'unavailable') || isLimit(error);
}

function isLimit(error: unknown): boolean {
  return error instanceof BankSourceError && error.kind === 'limited';
}
