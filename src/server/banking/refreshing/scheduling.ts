import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { BankingDeps } from '../deps.ts';
import { bankRefreshJobs } from '../jobs.ts';
import { forgetFuture, markChanged, markDue } from './queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'queue' | 'clock' | 'banks'>;

/** Links read in one transaction. */
const most = 500;

/**
 * Has the link of this user of a source read again. A bank tells of one refresh in many notices: the
 * job is left to the worker's next look, so that one reading answers them all. Unknown users are left
 * alone.
 */
export async function scheduleChanged(
  deps: Pick<Needed, 'database' | 'queue' | 'clock'>,
  changed: { source: string; providerUserId: string },
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.sql.transaction().execute(async (transaction) => {
    const users = await markChanged(transaction, now, changed);
    await enqueue(deps, transaction, users, changed.source, now);
  });
}

/**
 * Has the links read whose balances a message will soon say, when they would be too old by then: how
 * soon and how old is the source's reading policy. Each user has a moment of his own in that time, so
 * that a thousand messages at nine are no thousand calls at eight. Returns how many there were, at
 * most 500 of each source.
 */
export async function scheduleDue(deps: Needed): Promise<number> {
  const now = deps.clock.now();
  let count = 0;
  for (const [source, { policy }] of deps.banks) {
    const { beforeMessage } = policy;
    if (!beforeMessage) continue;
    count += await deps.database.sql.transaction().execute(async (transaction) => {
      const users = await markDue(transaction, now, { ...beforeMessage, source, most });
      await enqueue(deps, transaction, users, source, now);
      return users.length;
    });
  }
  return count;
}

async function enqueue(
  { queue }: Pick<Needed, 'queue'>,
  transaction: Transaction<Schema>,
  users: string[],
  source: string,
  now: Date,
): Promise<void> {
  const scheduledAt = now.getTime();
  const jobs = users.map((userId) => ({ data: { userId, source, scheduledAt } }));
  await queue.insert(transaction, bankRefreshJobs, jobs);
}

/** Readings noted under a clock that ran ahead of `now` would keep others waiting until then. */
export async function forgetFutureReadings(
  deps: Pick<Platform, 'database'>,
  now: Date,
): Promise<void> {
  await forgetFuture(deps, now, new Date(now.getTime() - longAgoMs));
}

/** So old that they are read again before the next message. */
const longAgoMs = 6 * 3_600_000;
