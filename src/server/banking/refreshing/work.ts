import type { RawBuilder } from 'kysely';
import { maxClockSkewMs } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { type MinuteChecks, startMinuteChecks } from '../../platform/minute-checks.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { findRefreshedAt } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { type BankRefreshJob, bankRefreshJobs } from '../jobs.ts';
import type { LinkKey } from '../source-links/queries.ts';
import {
  dueLinks,
  linkOfProviderUser,
  linkOfUser,
  silentLinks,
  unconfirmedLinks,
  watchedLinks,
} from './due-links.ts';
import { listScheduled, markScheduled, unmarkScheduled } from './queries.ts';

/**
 * How many readings of one source run at once in this process. A silent source does not hold up the
 * others.
 */
const concurrency = 8;

/** Reads the links whose reading is scheduled, and schedules those that a message will soon need. */
export function startBankWork(deps: BankingDeps): MinuteChecks {
  deps.queue.work(bankRefreshJobs, (job) => readAsScheduled(deps, job), concurrency);
  return startMinuteChecks(deps, () => check(deps), 'the reading of banks waits for the database');
}

async function check(deps: BankingDeps): Promise<void> {
  while ((await scheduleDue(deps)) > 0);
  // Starts the jobs of webhooks as well: a message may be about to contain what they are about.
  deps.queue.announce(bankRefreshJobs);
}

/**
 * Does nothing when a reading has begun since the job was scheduled, if it says when that was: by more than
 * the clocks of two processes may differ. When `refresh` shared a reading that had begun before, it reads
 * once more.
 */
export async function readAsScheduled(
  deps: Pick<BankingDeps, 'database' | 'bankRefreshes'>,
  { userId, source, scheduledAt }: BankRefreshJob,
): Promise<void> {
  const lastReadingBegan = async () => {
    const isMeant = (one: string) => source === undefined || one === source;
    const at = await findRefreshedAt(deps, userId, isMeant);
    return at ? at.getTime() : Number.NEGATIVE_INFINITY;
  };
  await unmarkScheduled(deps, userId, source);
  if (scheduledAt !== undefined && (await lastReadingBegan()) > scheduledAt + maxClockSkewMs)
    return;
  await deps.bankRefreshes.refresh(userId, source);
  if (scheduledAt !== undefined && (await lastReadingBegan()) < scheduledAt)
    await deps.bankRefreshes.refresh(userId, source);
}

type Needed = Pick<BankingDeps, 'database' | 'queue' | 'clock' | 'bankSources' | 'figureNeeds'>;

/** Links scheduled in one transaction. */
const batchSize = 500;

/**
 * Schedules a reading of the link whose user the source calls `providerUserId`, if there is one. A bank
 * reports one refresh in many webhooks: the job waits for the worker's next check, so that one reading
 * answers them all.
 */
export async function scheduleAfterWebhook(
  deps: Pick<Needed, 'database' | 'queue' | 'clock'>,
  { source, providerUserId }: { source: string; providerUserId: string },
): Promise<void> {
  const now = deps.clock.now();
  await schedule(deps, source, now, linkOfProviderUser(now, source, providerUserId));
}

/** The same of one link of a user of ours. */
export async function scheduleLink(
  deps: Pick<Needed, 'database' | 'queue' | 'clock'>,
  { source, userId }: LinkKey,
): Promise<void> {
  const now = deps.clock.now();
  await schedule(deps, source, now, linkOfUser(now, source, userId));
}

/**
 * Schedules a reading of the links whose users have a message with variables that leaves soon, where the
 * last reading would be too old by then, or had no answer of a bank: how soon and how old is the source's
 * reading policy. Each user has a moment of their own in that time, so that a thousand messages at nine are
 * no thousand calls at eight. And, from morning to evening, the links of which an alert watches an account.
 * Returns the number of links, at most 500 of each source for each reason.
 */
export async function scheduleDue(deps: Needed): Promise<number> {
  const now = deps.clock.now();
  let count = 0;
  const watched = await deps.figureNeeds.ofAlerts(now);
  for (const [source, bankSource] of deps.bankSources) {
    const { beforeMessage, forAlerts } = bankSource.policy;
    if (beforeMessage) {
      const which = { most: batchSize, silentBanks: silentBanksOf(bankSource) };
      const links = dueLinks(now, source, beforeMessage, deps.figureNeeds, which);
      count += await schedule(deps, source, now, links);
    }
    if (forAlerts && watched) {
      const links = watchedLinks(now, source, forAlerts, watched, batchSize);
      count += await schedule(deps, source, now, links);
    }
  }
  return count;
}

/**
 * How many banks must have been silent for their link to be read again before a message. A source with
 * webhooks says itself when a bank answers again; one that pages do not ask has few readings, of which no
 * other bank spends its own.
 */
function silentBanksOf({ policy, webhook }: BankSource): 'none' | 'some' | 'all' {
  if (webhook) return 'none';
  return policy.atPageLoad ? 'some' : 'all';
}

/**
 * Schedules one reading of each link whose source did not know the user, once it is late enough to confirm
 * that: neither a page nor a message may ask for one. The worker's next check reads them.
 */
export async function scheduleConfirmations(
  deps: Pick<Needed, 'database' | 'queue' | 'clock' | 'bankSources'>,
): Promise<void> {
  const now = deps.clock.now();
  for (const [source, { users }] of deps.bankSources) {
    if (!users) continue;
    while ((await schedule(deps, source, now, unconfirmedLinks(now, source, batchSize))) > 0);
  }
}

/**
 * Schedules another reading of the links that had no answer, where nobody else would: the person may have no
 * message that asks for one, and was told that we try again.
 */
export async function scheduleRetries(
  deps: Pick<Needed, 'database' | 'queue' | 'clock' | 'bankSources'>,
): Promise<void> {
  const now = deps.clock.now();
  for (const [source, { policy }] of deps.bankSources) {
    if (policy.atPageLoad || !policy.beforeMessage) continue;
    while ((await schedule(deps, source, now, silentLinks(now, source, batchSize))) > 0);
  }
}

/** `links` selects the ids of our users, and until when their links should be read. */
async function schedule(
  { database, queue }: Pick<Needed, 'database' | 'queue'>,
  source: string,
  now: Date,
  links: RawBuilder<unknown>,
): Promise<number> {
  return await inTransaction(database.sql, async (transaction) => {
    const marked = await markScheduled(transaction, source, now, links);
    const scheduledAt = now.getTime();
    const jobs = marked.map(({ user_id: userId, due_at: dueAt }) => ({
      data: { userId, source, scheduledAt },
      ...{ group: source, dueAt },
    }));
    await queue.insert(transaction, bankRefreshJobs, jobs);
    return marked.length;
  });
}

/** In a restored installation, whose queue is empty: every link that is noted as scheduled gets a job. */
export async function scheduleRestored({
  database,
  queue,
}: Pick<Needed, 'database' | 'queue'>): Promise<void> {
  await inTransaction(database.sql, async (transaction) => {
    const scheduled = await listScheduled(transaction);
    const jobs = scheduled.map(({ user_id: userId, source, scheduled_at: at }) => ({
      data: { userId, source, scheduledAt: at.getTime() },
      ...{ group: source, dueAt: at },
    }));
    await queue.insert(transaction, bankRefreshJobs, jobs);
  });
}
