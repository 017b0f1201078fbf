import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import type { ClientDetails, SourceLink } from '../../providers/banks/connect.ts';
import {
  type BankFailure,
  BankSourceError,
  isBankFailure,
} from '../../providers/banks/failures.ts';
import type { BankReading, BankSource } from '../../providers/banks/port.ts';
import { eraseForgottenLink } from '../connections/erasing.ts';
import type { MissingAnswer } from '../connections/missing.ts';
import { listSourceIds } from '../connections/queries.ts';
import { storeReading } from '../connections/storing-readings.ts';
import type { BankingDeps, BankRefreshes } from '../deps.ts';
import { findLink, type LinkKey, listLinkedSources } from '../source-links/queries.ts';
import { isUserGone } from './forgotten-users.ts';
import {
  acquireLease,
  type Lease,
  leaseMs,
  markRefused,
  readLease,
  releaseLease,
} from './queries.ts';

type Needed = Pick<
  BankingDeps,
  'database' | 'vault' | 'clock' | 'bankSources' | 'log' | 'figureListener'
>;

export function createBankRefreshes(deps: Needed, now: () => number = monotonicMs): BankRefreshes {
  const ofLinks = createSharedRuns(now);
  const ofPages = createSharedRuns(now);
  const read = async (
    userId: string,
    sources: string[],
    clientDetails: ClientDetails | null,
    askedAt: number,
  ): Promise<void> => {
    // A reading for a person who is there may ask a bank for more than one without them.
    const presence = clientDetails ? 'present' : 'absent';
    const readings = sources.map((source) =>
      ofLinks(`${source} ${userId} ${presence}`, askedAt, (wantedAt) =>
        refreshAlone(deps, { userId, source }, { wantedAt, clientDetails, now }),
      ),
    );
    // The failure of one source is thrown only after all the others were read.
    await Promise.allSettled(readings);
    await Promise.all(readings);
  };
  return {
    refresh: (userId, source, clientDetails) =>
      source
        ? read(userId, [source], clientDetails ?? null, now())
        : ofPages(userId, now(), async (wantedAt) =>
            read(userId, await sourcesOfPages(deps, userId), null, wantedAt),
          ),
  };
}

/** Calls this close together share a run, because a page asks for several lists at once. */
const togetherMs = 100;

/**
 * Runs the work of one key once at a time. A call joins a run that was wanted so shortly before it, or since
 * then; any other one waits for the present run to end, and shares the next with all who wait. `work` gets
 * the moment since which it is wanted.
 */
function createSharedRuns(now: () => number) {
  type Work = (wantedAt: number) => Promise<void>;
  const running = new Map<string, { wantedAt: number; run: Promise<void> }>();
  const next = new Map<string, Promise<void>>();
  const start = (key: string, wantedAt: number, work: Work): Promise<void> => {
    const run = work(wantedAt).finally(() => running.delete(key));
    running.set(key, { wantedAt, run });
    return run;
  };
  const startAfter = async (key: string, work: Work, run: Promise<void>): Promise<void> => {
    await run.catch(() => {});
    next.delete(key);
    await start(key, now(), work);
  };
  return (key: string, askedAt: number, work: Work): Promise<void> => {
    const current = running.get(key);
    if (!current) return start(key, askedAt, work);
    if (askedAt - current.wantedAt <= togetherMs) return current.run;
    const following = next.get(key) ?? startAfter(key, work, current.run);
    next.set(key, following);
    return following;
  };
}

async function sourcesOfPages(deps: Needed, userId: string): Promise<string[]> {
  const linked = await listLinkedSources(deps, userId);
  return linked.filter((source) => deps.bankSources.get(source)?.policy.atPageLoad);
}

/** Why one link is read: since when that is wanted, and for whom; `now` is of the clock of `wantedAt`. */
interface Occasion {
  wantedAt: number;
  clientDetails: ClientDetails | null;
  now: () => number;
}

async function refreshAlone(
  deps: Needed,
  key: LinkKey,
  { wantedAt, clientDetails, now }: Occasion,
): Promise<void> {
  const bankSource = deps.bankSources.get(key.source);
  if (!bankSource || !(await findUsableLink(deps, key))) return;
  let lease = await acquireLease(deps, key);
  while (!lease) {
    // Another may be one without the person, who is there now.
    const isShared = await awaitOther(deps, key, clientDetails ? null : wantedAt, now);
    if (isShared) return;
    lease = await acquireLease(deps, key);
  }
  // Found again under the lease: it may have been removed, or have another secret, since the wait began.
  const link = await findUsableLink(deps, key);
  if (link) await readUnder(deps, lease, { key, bankSource, link, clientDetails });
  else await releaseLease(deps, key, lease, null);
}

/** Null also when no configured secret opens the person's credentials: the connections then show it. */
async function findUsableLink(deps: Needed, key: LinkKey): Promise<SourceLink | null> {
  const link = await findLink(deps, key.userId, key.source);
  if (link !== 'unreadable') return link;
  await markRefused(deps, key);
  return null;
}

/** A link that is about to be read. */
interface LinkReading {
  key: LinkKey;
  bankSource: BankSource;
  link: SourceLink;
  clientDetails: ClientDetails | null;
}

/**
 * Reads and ends the lease. Two failures are not thrown, because the store shows them: the source has
 * forgotten the user, whose data is erased, or refuses their credentials, which is then the state of
 * their connections.
 */
async function readUnder(deps: Needed, lease: Lease, reading: LinkReading): Promise<void> {
  const { key, link } = reading;
  try {
    await readAndStore(deps, lease, reading);
  } catch (error) {
    const kind = error instanceof BankSourceError ? error.kind : null;
    const isGone = kind === 'unknown-user' && (await isUserGone(deps, lease, reading));
    if (isShown(kind)) await markRefused(deps, key);
    await releaseLease(deps, key, lease, isGone ? null : (kind ?? fault));
    if (isGone) {
      await eraseForgottenLink(deps, link, key.source);
      deps.log.warn(key, 'erased what a forgotten user had at the bank service');
    } else if (!isShown(kind)) throw error;
  }
}

/** How a reading failed that ended in an error of ours. */
const fault = 'fault';

/** Refused credentials are the state of the connections, and no failure of the reading. */
function isShown(kind: BankFailure | null): boolean {
  return kind === 'credentials';
}

const maxReadings = 3;

/** After an erasure it reads with the link as it then is: the earlier one would bring back what went. */
async function readAndStore(
  deps: Needed,
  { erasures: atFirst, until }: Lease,
  { key, bankSource, link: first, clientDetails }: LinkReading,
): Promise<void> {
  let [link, erasures]: [SourceLink | null, number] = [first, atFirst];
  for (let count = 0; count < maxReadings; count += 1) {
    const startedAt = deps.clock.now();
    const known = await listSourceIds(deps.database.sql, key);
    const read = await bankSource.read(link, clientDetails, known);
    const asked = await askAbout(bankSource, link, missingIn(known, read));
    const scope = { ...key, startedAt, erasures, until };
    const aboveLimit = await storeReading(deps, scope, read, asked);
    if (aboveLimit) return await endConnections(deps, bankSource, link, aboveLimit);
    ({ erasures } = await readLease(deps, key));
    link = await findUsableLink(deps, key);
    if (!link) return await releaseLease(deps, key, { erasures, until }, null);
  }
  throw new BankSourceError('unavailable', 'The data was erased during each reading');
}

/** Ends what has no place here at the source as well. One that is not ended is by the next reading. */
async function endConnections(
  { log }: Pick<Needed, 'log'>,
  bankSource: BankSource,
  link: SourceLink,
  ids: string[],
): Promise<void> {
  for (const id of ids) {
    try {
      await bankSource.removeConnection(link, id);
    } catch (error) {
      if (!(error instanceof BankSourceError)) throw error;
      log.warn({ err: error }, 'a bank above the limit was not removed at its service');
    }
  }
}

function missingIn(known: string[], { connections, unread = [] }: BankReading): string[] {
  const told = new Set([...connections, ...unread].map(({ id }) => id));
  return known.filter((id) => !told.has(id));
}

/** Each costs a call. The others wait for another reading. */
const maxAsked = 10;

/** What the source says of connections that its list lacked. A question that fails says nothing. */
async function askAbout(
  bankSource: BankSource,
  link: SourceLink,
  missing: string[],
): Promise<MissingAnswer> {
  const asked: MissingAnswer = { gone: [], there: [] };
  if (!bankSource.hasConnection) return asked;
  for (const id of missing.slice(0, maxAsked)) {
    try {
      const isThere = await bankSource.hasConnection(link, id);
      (isThere ? asked.there : asked.gone).push(id);
    } catch (error) {
      if (!(error instanceof BankSourceError)) throw error;
    }
  }
  return asked;
}

/**
 * Waits until the reading of another worker has ended. True when that reading began no earlier than
 * `askedAt` and has ended in what the store shows; throws its error when it failed. False when it began
 * earlier or at an unknown moment, when its worker died or made a fault, and always for null: the caller then
 * reads itself.
 */
async function awaitOther(
  deps: Needed,
  key: LinkKey,
  askedAt: number | null,
  now: () => number,
): Promise<boolean> {
  let isShared = false;
  for (;;) {
    // Taken before the answer, which may come late: the other reading is never thought to be younger.
    const lookedAt = now();
    const { leasedForMs, failure } = await readLease(deps, key);
    const isThrown = isBankFailure(failure) && !isShown(failure);
    if (leasedForMs === null && isShared && isThrown) {
      throw new BankSourceError(failure, 'The reading of another worker failed');
    }
    if (leasedForMs === null) return isShared && failure !== fault;
    if (leasedForMs > leaseMs) return false;
    isShared ||= askedAt !== null && leasedForMs <= lookedAt - askedAt + togetherMs;
    await sleep(checkEveryMs);
  }
}

const checkEveryMs = 150;
