import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import { notArrivedOutcomes } from '../outcomes.ts';
import type { AlertRule, AlertState, Crossing } from './crossings.ts';
import { longestWaitMs } from './release.ts';

export type AlertRow = Selectable<Schema['alerts']>;

/** The alerts of one notification, or with null of all, in the order in which they were added. */
export async function listAlerts(
  database: Kysely<Schema>,
  userId: string,
  messengerId: string | null,
): Promise<AlertRow[]> {
  return await database
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(messengerId !== null, (query) => query.where('messenger_id', '=', messengerId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Null for an unknown id, one of another notification or user, and a malformed one. */
export async function findAlert(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string,
  id: string,
): Promise<AlertRow | null> {
  if (!isUuid(id)) return null;
  const row = await transaction
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('messenger_id', '=', messengerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

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
      and c.release_at is null and d.outcome not in (${sql.join(notArrivedOutcomes)})
    group by c.account_id`.execute(transaction);
  return new Map(rows.map(({ account_id, count }) => [account_id, count]));
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
