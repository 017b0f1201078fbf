import { type Kysely, sql, type Transaction } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import { records, unnested } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttemptOutcome, DeliveryClaim, RateLimit } from './attempt.ts';

/**
 * Leaves a row alone that has ended, or that another worker has claimed since. Every condition joins the
 * two tables: with one of its own for `deliveries`, such as the outcome, PostgreSQL reads all pending
 * rows, which at the hour are far more than it expects, and compares each of them with each outcome.
 * Figures of accounts that were erased while the message was sent, which the row names, are left out.
 * A try has failed that has a reason and is to be made again; the row has one then, until its next claim.
 */
export async function updateRows(
  database: Kysely<Schema>,
  outcomes: AttemptOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ delivery, change, againAfterSeconds }) => ({
    ...{ user_id: delivery.userId, messenger_id: delivery.messengerId },
    ...{ local_date: delivery.localDate, sequence: delivery.sequence },
    ...{ attempts: delivery.attempts, again_after: againAfterSeconds },
    ...{ outcome: change?.outcome, reason: change?.reason, receipt: change?.receipt },
    ...{ due_at: change?.dueAt, sent_at: change?.sentAt, finished_at: change?.finishedAt },
    is_unposted: change?.isUnposted ?? false,
    expected: 'pending',
    figures: change?.figures,
  }));
  await sql`
    update deliveries d set outcome = coalesce(given.outcome, d.outcome),
      reason = case when given.outcome is null then d.reason else given.reason end,
      failures = d.failures + (d.reason is null and given.reason is not null
        and given.outcome = 'pending')::int,
      due_at = coalesce(given.due_at, d.due_at), sent_at = given.sent_at,
      finished_at = given.finished_at, receipt = given.receipt,
      sending_at = case when not given.is_unposted then d.sending_at end,
      run_at = coalesce(now() + given.again_after * interval '1 s', d.run_at),
      draft = case when given.finished_at is null then d.draft end,
      draft_accounts = case when given.finished_at is null then d.draft_accounts end,
      draft_settings = case when given.finished_at is null then d.draft_settings end,
      figures = case when d.figures is null then given.figures
        else given.figures - array(select jsonb_object_keys(d.figures)) end
    from ${unnested(rows, rowColumns)}
    where d.user_id = given.user_id and d.messenger_id = given.messenger_id
      and d.local_date = given.local_date and d.sequence = given.sequence
      and d.outcome = given.expected and d.attempts = given.attempts`.execute(database);
}

const rowColumns = {
  ...{ user_id: 'uuid', messenger_id: 'uuid', local_date: 'date', sequence: 'smallint' },
  ...{ attempts: 'smallint', again_after: 'float8', outcome: 'text', reason: 'text' },
  ...{ receipt: 'text', due_at: 'timestamptz', sent_at: 'timestamptz', finished_at: 'timestamptz' },
  ...{ is_unposted: 'boolean', figures: 'jsonb', expected: 'text' },
};

/**
 * Marks a test as being sent, just before its post. False when its person was told meanwhile that it is
 * cancelled, or another worker has claimed it since.
 */
export async function beginTest(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  { userId, messengerId, localDate, sequence, attempts }: DeliveryClaim,
): Promise<boolean> {
  const { numUpdatedRows } = await database.sql
    .updateTable('deliveries')
    .set({ sending_at: clock.now() })
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .where('local_date', '=', localDate)
    .where('sequence', '=', sequence)
    .where('outcome', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Remembers the waits that chats asked for, by the clock of the database, which all workers share. Rows
 * are always written in the same order, so that no two workers deadlock.
 */
export async function saveLimits(
  transaction: Transaction<Schema>,
  limits: RateLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  await sql`
    insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
    select chat, scope, "teamId", "channelId", now() + make_interval(secs => max(seconds))
    from ${records(limits, 'chat text, "teamId" text, "channelId" text, scope text, seconds float8')}
    group by chat, scope, "teamId", "channelId" order by chat, scope, "teamId", "channelId"
    on conflict (chat, scope, team_id, channel_id) do update
      set blocked_until = greatest(chat_limits.blocked_until, excluded.blocked_until)`.execute(
    transaction,
  );
}

/** Deletes the days after `now` that a clock which ran ahead recorded as missed, since it showed `recordedSince`. */
export async function deleteMissedAhead(
  { database }: Pick<Platform, 'database'>,
  now: Date,
  recordedSince: Date,
): Promise<void> {
  // Of all partitions, only those of these days are read.
  const yesterday = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  await sql`
    delete from deliveries where kind = 'daily' and outcome = 'missed' and attempts = 0
      and local_date >= ${yesterday}
      and due_at > ${now} and created_at >= ${recordedSince}`.execute(database.sql);
}

/**
 * Takes `aheadMs` off the waits that were written while the clock of the database ran ahead by so much: they
 * end later than `fromMs` from now, which is when it began to.
 */
export async function shortenWaits(
  { database }: Pick<Platform, 'database'>,
  { aheadMs, fromMs }: { aheadMs: number; fromMs: number },
): Promise<void> {
  const ahead = sql`${aheadMs}::float8 * interval '1 ms'`;
  const from = sql`now() + ${fromMs}::float8 * interval '1 ms'`;
  await sql`update chat_limits set blocked_until = blocked_until - ${ahead}
    where blocked_until >= ${from}`.execute(database.sql);
  await sql`update deliveries set run_at = greatest(now(), run_at - ${ahead})
    where outcome = 'pending' and run_at >= ${from}`.execute(database.sql);
}

/**
 * Ends waits that no chat asks for and no retry has: the clock of the database ran ahead when they were
 * written. The longest are of six hours; an alert waits for the morning.
 */
export async function endImpossibleWaits({ database }: Pick<Platform, 'database'>): Promise<void> {
  await sql`delete from chat_limits where blocked_until > now() + interval '7 hours'`.execute(
    database.sql,
  );
  await sql`update deliveries set run_at = now()
    where outcome = 'pending' and run_at > now() +
      case kind when 'alert' then interval '26 hours' else interval '7 hours' end`.execute(
    database.sql,
  );
}
