import { setTimeout as sleep } from 'node:timers/promises';
import type { Parts } from '../parts.ts';
import { BankProviderError, type BankUser, isBankFailure } from '../providers/bank.ts';
import { eraseBankUser } from './erasing.ts';
import { countErasures, dropLease, type Lease, lookAtLease, takeLease } from './lease.ts';
import { findBankUser } from './queries.ts';
import { type Reading, storeReading } from './store.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'bank'>;

export interface BankRefreshes {
  /**
   * Reads a user's bank at the provider and stores what it says; does nothing for who has none.
   * Whoever asks while a reading is under way, here or in another worker, shares it. Throws the
   * provider's error, and the store stays as it was.
   */
  refresh(ownerId: string): Promise<void>;
}

export function createBankRefreshes(parts: Needed): BankRefreshes {
  const running = new Map<string, Promise<void>>();
  return {
    refresh(ownerId) {
      const known = running.get(ownerId);
      if (known) return known;
      const reading = refreshAlone(parts, ownerId).finally(() => running.delete(ownerId));
      running.set(ownerId, reading);
      return reading;
    },
  };
}

async function refreshAlone(parts: Needed, ownerId: string): Promise<void> {
  const user = await findBankUser(parts, ownerId);
  if (!user) return;
  const lease = await takeLease(parts, ownerId);
  if (!lease) return await shareOther(parts, ownerId);
  try {
    await readAndStore(parts, user, lease);
  } catch (error) {
    const kind = error instanceof BankProviderError ? error.kind : null;
    const isForgotten = kind === 'unknown-user';
    await dropLease(parts, ownerId, lease, isForgotten ? null : kind);
    if (!isForgotten) throw error;
    await eraseBankUser(parts, ownerId, user.providerUserId);
  }
}

const readings = 3;

async function readAndStore(
  parts: Needed,
  user: BankUser,
  { erasures: atFirst, until }: Lease,
): Promise<void> {
  let erasures = atFirst;
  for (let count = 0; count < readings; count += 1) {
    const startedAt = parts.clock.now();
    const said = await read(parts, user);
    if (await storeReading(parts, user.userId, { ...said, startedAt, erasures, until })) return;
    erasures = await countErasures(parts, user.userId);
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

/** Waits until the other worker's reading has ended, and ends as it did. */
async function shareOther(parts: Needed, ownerId: string): Promise<void> {
  for (;;) {
    const { held, failure } = await lookAtLease(parts, ownerId);
    if (!held && isBankFailure(failure)) {
      throw new BankProviderError(failure, 'The reading of another worker failed');
    }
    if (!held) return;
    await sleep(lookEveryMs);
  }
}

const lookEveryMs = 150;
