import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import { BankProviderError, type BankUser, isBankFailure } from '../../providers/banks/port.ts';
import { eraseBankUser } from '../connections/erasing.ts';
import { type Reading, storeReading } from '../connections/store.ts';
import type { BankingDeps } from '../deps.ts';
import { findBankUser } from '../links/queries.ts';
import {
  countErasures,
  dropLease,
  type Lease,
  leaseMs,
  lookAtLease,
  takeLease,
} from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'bank' | 'log'>;

export interface BankRefreshes {
  /**
   * Reads a user's bank at the provider and stores what it says; does nothing for who has none. The
   * reading begins after the call, or with it: one that was under way before may have missed what the
   * user has just changed at his bank. Whoever asks meanwhile, here or in another worker, shares the
   * next one. Throws the provider's error, and the store stays as it was.
   */
  refresh(ownerId: string): Promise<void>;
}

/** A page asks for several lists at once: they are one reading. */
const togetherMs = 100;

export function createBankRefreshes(deps: Needed): BankRefreshes {
  const running = new Map<string, { began: number; reading: Promise<void> }>();
  const next = new Map<string, Promise<void>>();
  const start = (ownerId: string): Promise<void> => {
    const began = monotonicMs();
    const reading = refreshAlone(deps, ownerId, began).finally(() => running.delete(ownerId));
    running.set(ownerId, { began, reading });
    return reading;
  };
  const startAfter = async (ownerId: string, reading: Promise<void>): Promise<void> => {
    await reading.catch(() => {});
    next.delete(ownerId);
    await start(ownerId);
  };
  return {
    refresh(ownerId) {
      const current = running.get(ownerId);
      if (!current) return start(ownerId);
      if (monotonicMs() - current.began <= togetherMs) return current.reading;
      const following = next.get(ownerId) ?? startAfter(ownerId, current.reading);
      next.set(ownerId, following);
      return following;
    },
  };
}

async function refreshAlone(deps: Needed, ownerId: string, askedAt: number): Promise<void> {
  const user = await findBankUser(deps, ownerId);
  if (!user) return;
  let lease = await takeLease(deps, ownerId);
  while (!lease) {
    const isShared = await awaitOther(deps, ownerId, askedAt);
    if (isShared) return;
    lease = await takeLease(deps, ownerId);
  }
  await readUnder(lease, deps, user);
}

async function readUnder(lease: Lease, deps: Needed, user: BankUser): Promise<void> {
  try {
    await readAndStore(deps, user, lease);
  } catch (error) {
    const kind = error instanceof BankProviderError ? error.kind : null;
    const isGone = kind === 'unknown-user' && (await isForgotten(deps, user));
    await dropLease(deps, user.userId, lease, isGone ? null : kind);
    if (!isGone) throw error;
    await eraseBankUser(deps, user.userId, user.providerUserId);
    deps.log.warn({ userId: user.userId }, 'erased what a forgotten user had at the bank service');
  }
}

/** Not said a second time, it is a reading that failed: what was read before stays. */
async function isForgotten({ bank }: Needed, user: BankUser): Promise<boolean> {
  try {
    return await bank.hasForgotten(user);
  } catch {
    return false;
  }
}

const readings = 3;

async function readAndStore(
  deps: Needed,
  user: BankUser,
  { erasures: atFirst, until }: Lease,
): Promise<void> {
  let erasures = atFirst;
  for (let count = 0; count < readings; count += 1) {
    const startedAt = deps.clock.now();
    const said = await read(deps, user);
    if (await storeReading(deps, user.userId, { ...said, startedAt, erasures, until })) return;
    erasures = await countErasures(deps, user.userId);
  }
  throw new BankProviderError('unavailable', 'The data was erased during each reading');
}

/** One after the other: who has no connection costs one call, and a refusal is met once. */
async function read(
  { bank }: Needed,
  user: BankUser,
): Promise<Pick<Reading, 'items' | 'accounts'>> {
  const items = await bank.listItems(user);
  return { items, accounts: items.length > 0 ? await bank.listAccounts(user, items) : [] };
}

/**
 * Waits until the other worker's reading has ended. One that began with the call, at the earliest, is
 * shared: it ends here as it did there. False for one that broke off, or of which only the end was met.
 */
async function awaitOther(deps: Needed, ownerId: string, askedAt: number): Promise<boolean> {
  let isShared = false;
  for (;;) {
    const { heldForMs, failure } = await lookAtLease(deps, ownerId);
    if (heldForMs === null && isShared && isBankFailure(failure)) {
      throw new BankProviderError(failure, 'The reading of another worker failed');
    }
    if (heldForMs === null) return isShared;
    if (heldForMs > leaseMs) return false;
    isShared = heldForMs <= monotonicMs() - askedAt + togetherMs;
    await sleep(lookEveryMs);
  }
}

const lookEveryMs = 150;
