import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { AlertRule, AlertState, Crossing } from './crossings.ts';
import { longestWaitMs } from './release.ts';

export type AlertRow = Selectable<Schema['alerts']>;

/** Users with figures that no alert was evaluated with, or with crossings whose summary is due. */
export async function usersToEvaluate(
  database: Kysely<Schema>,
  now: Date,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from alert_readings
    union
    select user_id from alert_crossings where delivery_id is null
      and (release_at <= ${now} or release_at > ${new Date(now.getTime() + longestWaitMs)})
    limit ${most}`.execute(database);
  return rows.map(({ user_id }) => user_id);
}

/** An alert with what it knows, and with what its notification needs to tell. */
export interface WatchedAlert {
  id: string;
  messengerId: string;
  rule: AlertRule;
  state: AlertState;
  notification: NotificationState;
}

export interface NotificationState {
  chat: ChatKind;
  /** The state of its destination. */
  state: string;
  channelId: string | null;
  isPaused: boolean;
  /** The first day that it sends again, YYYY-MM-DD. */
  pausedUntil: string | null;
  zone: string | null;
  offsetMinutes: number | null;
}

/**
 * Locks, in the order of ARCHITECTURE.md, "How a message leaves", what an evaluation of a user's alerts
 * will reference: their accounts, which must not be erased meanwhile, and their notifications with
 * alerts, with the one that is about to get one. Returns the ids of these notifications.
 */
export async function lockForEvaluation(
  transaction: Transaction<Schema>,
  userId: string,
  alertedId: string | null = null,
): Promise<ReadonlySet<string>> {
  await sql`select from bank_accounts where user_id = ${userId} order by id for key share`.execute(
    transaction,
  );
  const { rows } = await sql<{ id: string }>`
    select id from messengers m where user_id = ${userId} and (id = ${alertedId}::uuid
      or exists (select from alerts w where w.user_id = m.user_id and w.messenger_id = m.id))
    order by id for update`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

/** In the order in which they were added. */
export async function listWatchedAlerts(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<WatchedAlert[]> {
  const { rows } = await sql<AlertRow & WatchedAlertColumns>`
    select w.*, d.chat, d.state, m.channel_id, m.paused_at is not null or m.stopped as is_paused,
      m.paused_until, m.zone, m.offset_minutes,
      (select json_agg(json_build_array(f.account_id, f.balance_minor,
          (date_part('epoch', f.as_of) * 1000)::bigint)) from alert_figures f
        where f.user_id = w.user_id and f.alert_id = w.id) as figures
    from alerts w
    join messengers m on m.user_id = w.user_id and m.id = w.messenger_id
    join destinations d on d.user_id = m.user_id and d.id = m.destination_id
    where w.user_id = ${userId} order by w.created_at, w.id`.execute(transaction);
  return rows.map((row) => ({
    id: row.id,
    messengerId: row.messenger_id,
    rule: ruleOf(row),
    state: {
      ...{ armed: row.armed, lastMinor: row.last_minor },
      figures: new Map((row.figures ?? []).map(([id, minor, asOf]) => [id, { minor, asOf }])),
    },
    notification: {
      ...{ chat: row.chat, state: row.state, channelId: row.channel_id },
      ...{ isPaused: row.is_paused, pausedUntil: row.paused_until },
      ...{ zone: row.zone, offsetMinutes: row.offset_minutes },
    },
  }));
}

interface WatchedAlertColumns {
  chat: ChatKind;
  state: string;
  channel_id: string | null;
  is_paused: boolean;
  paused_until: string | null;
  zone: string | null;
  offset_minutes: number | null;
  figures: [id: number, minor: number, asOf: number | null][] | null;
}

export function ruleOf(
  row: Pick<AlertRow, 'kind' | 'account_id' | 'amount_minor' | 'currency'>,
): AlertRule {
  const { kind, account_id: accountId, amount_minor: amountMinor, currency } = row;
  return { kind, accountId, amountMinor, currency };
}

/** Writes what alerts know after an evaluation. */
export async function writeStates(
  transaction: Transaction<Schema>,
  userId: string,
  states: { id: string; state: AlertState; hasCrossed: boolean }[],
  now: Date,
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ id, state: { armed, lastMinor }, hasCrossed }) => ({
    ...{ id, armed, last_minor: lastMinor, crossed_at: hasCrossed ? now : null },
  }));
  await sql`
    update alerts w set armed = given.armed, last_minor = given.last_minor,
      crossed_at = coalesce(given.crossed_at, w.crossed_at)
    from ${records(rows, 'id uuid, armed boolean, last_minor bigint, crossed_at timestamptz')}
    where w.user_id = ${userId} and w.id = given.id`.execute(transaction);
  const figures = states.flatMap(({ id, state }) =>
    [...state.figures].map(([account_id, { minor, asOf }]) => ({
      ...{ alert_id: id, account_id, balance_minor: minor, as_of: dateOf(asOf) },
    })),
  );
  await sql`
    insert into alert_figures as f (user_id, alert_id, account_id, balance_minor, as_of)
    select ${userId}::uuid, given.alert_id, given.account_id, given.balance_minor, given.as_of
    from ${records(figures, 'alert_id uuid, account_id bigint, balance_minor bigint, as_of timestamptz')}
    join bank_accounts a on a.user_id = ${userId} and a.id = given.account_id
    on conflict (user_id, alert_id, account_id) do update
      set balance_minor = excluded.balance_minor, as_of = excluded.as_of
      where (f.balance_minor, f.as_of) is distinct from (excluded.balance_minor, excluded.as_of)`.execute(
    transaction,
  );
}

/**
 * In how many messages a notification told each subject at once on a day, YYYY-MM-DD: those that arrived,
 * or may yet.
 */
export async function countImmediate(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
  day: string,
): Promise<Map<number | null, number>> {
  const { rows } = await sql<{ account_id: number | null; count: number }>`
    select c.account_id, count(distinct d.id)::int as count
    from alert_crossings c
    join deliveries d on d.user_id = c.user_id and d.messenger_id = c.messenger_id
      and d.local_date = c.local_date and d.id = c.delivery_id
    where c.user_id = ${userId} and c.messenger_id = ${messengerId} and c.local_date = ${day}
      and c.release_at is null and d.outcome not in ('failed', 'missed', 'cancelled')
    group by c.account_id`.execute(transaction);
  return new Map(rows.map(({ account_id, count }) => [account_id, count]));
}

/** A crossing as it is written, with the alert that found it. */
export interface FoundCrossing extends Crossing {
  alertId: string;
  amountMinor: number;
  currency: string;
}

/** Which notification tells crossings, and when. */
interface AlertOccasion {
  userId: string;
  messengerId: string;
  /** YYYY-MM-DD on the notification's own calendar. */
  day: string;
  now: Date;
}

export async function insertCrossings(
  transaction: Transaction<Schema>,
  { userId, messengerId, day, now }: AlertOccasion,
  crossings: { found: FoundCrossing; releaseAt: Date | null; deliveryId: string | null }[],
): Promise<void> {
  await transaction
    .insertInto('alert_crossings')
    .values(
      crossings.map(({ found, releaseAt, deliveryId }) => ({
        ...{ user_id: userId, alert_id: found.alertId, messenger_id: messengerId },
        ...{ account_id: found.accountId, amount_minor: found.amountMinor },
        ...{ balance_minor: found.balanceMinor, change_minor: found.changeMinor },
        ...{ currency: found.currency, accounts: found.accounts, as_of: dateOf(found.asOf) },
        ...{ local_date: day, release_at: releaseAt, delivery_id: deliveryId },
        created_at: now,
      })),
    )
    .execute();
}

/**
 * Writes the row of a delivery that tells crossings, to be sent at once. Its notification is locked, so
 * that two do not take one number. Does nothing for a notification that is gone.
 */
export async function insertAlertDelivery(
  transaction: Transaction<Schema>,
  { userId, messengerId, day, now, deliveryId }: AlertOccasion & { deliveryId: string },
): Promise<void> {
  await sql`
    insert into deliveries (user_id, messenger_id, local_date, sequence, id, kind, due_at,
      channel_id, channel_name, created_at)
    select m.user_id, m.id, ${day}::date, (select coalesce(max(d.sequence), 0) + 1 from deliveries d
        where d.user_id = m.user_id and d.messenger_id = m.id and d.local_date = ${day}::date),
      ${deliveryId}::uuid, 'alert', ${now}, m.channel_id, m.channel_name, ${now}
    from messengers m where m.user_id = ${userId} and m.id = ${messengerId}`.execute(transaction);
}

/** A crossing that waits for a summary. */
export interface HeldCrossing extends Pick<Crossing, 'accountId' | 'accounts'> {
  id: number;
  alertId: string;
  messengerId: string;
}

/** The held crossings of a user whose summary is due, oldest first. */
export async function listReleased(
  transaction: Transaction<Schema>,
  userId: string,
  now: Date,
): Promise<HeldCrossing[]> {
  const tooFar = new Date(now.getTime() + longestWaitMs);
  return await transaction
    .selectFrom('alert_crossings')
    .select([
      ...(['id', 'accounts', 'alert_id as alertId'] as const),
      ...(['messenger_id as messengerId', 'account_id as accountId'] as const),
    ])
    .where('user_id', '=', userId)
    .where('delivery_id', 'is', null)
    .where(({ eb, or }) => or([eb('release_at', '<=', now), eb('release_at', '>', tooFar)]))
    .orderBy('id')
    .execute();
}

/** Holds crossings until a later summary, or notes which delivery tells them. */
export async function changeCrossings(
  transaction: Transaction<Schema>,
  userId: string,
  crossingIds: number[],
  change: { release_at: Date } | { delivery_id: string },
): Promise<void> {
  await transaction
    .updateTable('alert_crossings')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', 'in', crossingIds)
    .execute();
}

/** Of an account that was deleted nothing is told any more. */
export async function discardAllUndelivered(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('alert_readings').where('user_id', '=', userId).execute();
  await transaction
    .deleteFrom('alert_crossings')
    .where('user_id', '=', userId)
    .where('delivery_id', 'is', null)
    .execute();
}

function dateOf(asOf: number | null): Date | null {
  return asOf === null ? null : new Date(asOf);
}
