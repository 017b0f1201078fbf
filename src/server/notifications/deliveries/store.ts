import { type Kysely, sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { PackedDelivery } from '../jobs.ts';
import type { Attempt, DeliveryTicket, FoundDelivery, RateLimit, Settlement } from './attempt.ts';
import type { DeliverySettings } from './settings.ts';

/**
 * Marks the deliveries that can be sent now as being sent, and reads all of them, in one statement.
 * Those that it does not mark are returned too: outcome.ts decides what becomes of them, by the same
 * conditions. A row that another worker changes at the same time is not marked.
 */
export async function markSending(
  { database, chats }: Pick<NotificationsDeps, 'database' | 'chats'>,
  tickets: DeliveryTicket[],
  now: Date,
  settings: Pick<DeliverySettings, 'uselessAfterMs' | 'answerWithinMs' | 'testWithinMs'>,
): Promise<FoundDelivery[]> {
  const usefulSince = new Date(now.getTime() - settings.uselessAfterMs);
  const testsSince = new Date(now.getTime() - settings.testWithinMs);
  const asked = tickets.map(({ data }) => ({ user_id: data.userId, id: data.deliveryId }));
  const offered = [...chats].map(([chat, { repeat }]) => ({
    ...{ chat, repeats: repeat !== 'never' },
    within_ms: typeof repeat === 'object' ? repeat.withinMs : null,
  }));
  const { rows } = await sql<FoundDelivery>`
    with found as (select f.* from ${records(asked, 'user_id uuid, id uuid')} cross join lateral (
      select d.ctid as row_place, d.user_id, d.id, d.kind, d.outcome, d.due_at, d.sending_at,
        d.attempts, d.resends, d.messenger_id, coalesce(d.draft, m.message) as text, m.zone, m.offset_minutes,
        case d.kind when 'test' then d.channel_id else m.channel_id end as channel_id,
        case d.kind when 'test' then d.channel_name else m.channel_name end as channel_name,
        case when coalesce(d.draft, m.message) = m.message then m.variables end as variables,
        d.draft_accounts,
        case when m.paused_at is not null then coalesce(m.paused_reason, 'paused')
          when m.stopped or m.paused_until > d.local_date then 'paused' end as paused_reason,
        dest.id as destination_id, dest.chat, dest.team_id, dest.state, dest.sealed_secret,
        coalesce(extract(epoch from l.blocked_until - now()), 0)::float8 as blocked_seconds,
        d.reason is null and coalesce(abs(extract(epoch from d.sending_at - ${now}::timestamptz))
          * 1000 < ${settings.answerWithinMs}, false) as is_being_sent,
        offer.chat is not null as is_offered,
        coalesce(offer.repeats and (offer.within_ms is null or
          extract(epoch from ${now}::timestamptz - d.sending_at) * 1000 <= offer.within_ms), false)
          as is_repeatable
      from deliveries d
      join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
      join destinations dest on dest.user_id = m.user_id and dest.id = m.destination_id
      left join (select * from ${records(offered, 'chat text, repeats boolean, within_ms float8')}
      ) offer on offer.chat = dest.chat
      left join lateral (
        select max(blocked_until) as blocked_until from chat_limits l where l.chat = dest.chat
          and (l.scope, l.team_id, l.channel_id) in (('service', '', ''),
            ('team', dest.team_id, ''), ('channel', dest.team_id,
              case d.kind when 'test' then d.channel_id else m.channel_id end))
      ) l on true
      where d.user_id = given.user_id and d.id = given.id limit 1
    ) f), begun as (
      update deliveries d set sending_at = ${now}, reason = null, attempts = d.attempts + 1,
        resends = d.resends + case when d.sending_at is null then 0 else 1 end,
        channel_id = f.channel_id, channel_name = f.channel_name
      from found f
      where d.ctid = f.row_place and d.attempts = f.attempts
        and d.outcome = 'pending' and f.channel_id is not null and f.text <> ''
        and f.is_offered and f.state = 'connected' and f.blocked_seconds <= 0
        and not f.is_being_sent
        and (d.sending_at is null or (d.resends = 0 and d.kind = 'daily' and f.is_repeatable))
        and d.due_at >= case d.kind when 'test' then ${testsSince}::timestamptz
          else ${usefulSince}::timestamptz end
        and (d.kind = 'test' or f.paused_reason is null)
      returning d.id
    )
    select f.user_id as "userId", f.id, f.kind, f.outcome, f.due_at as "dueAt",
      f.sending_at as "sendingAt", f.attempts, f.resends, f.messenger_id as "messengerId",
      f.channel_id as "channelId", f.text, f.variables, f.draft_accounts as "draftAccounts",
      f.zone, f.offset_minutes as "offsetMinutes", f.paused_reason as "pausedReason",
      f.destination_id as "destinationId", f.chat, f.team_id as "teamId", f.state,
      f.sealed_secret as "sealedSecret", f.blocked_seconds as "blockedSeconds",
      f.is_being_sent as "isBeingSent", f.is_repeatable as "isRepeatable",
      f.id in (select id from begun) as "isBegun"
    from found f`.execute(database.sql);
  return rows;
}

/**
 * For channels that several notifications share: lets one message begin in each channel where none
 * has begun within the gap, by any worker. Returns the ids of the deliveries that may begin.
 */
export async function takeTurns(
  { sql: database }: Platform['database'],
  asked: (PackedDelivery & { gapMs: number })[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with given as materialized (
      select distinct on (chat, "teamId", "channelId") *
      from ${records(asked, `${channelShape}, "deliveryId" uuid, "gapMs" int`)}
      order by chat, "teamId", "channelId"
    ), taken as (
      insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      select chat, 'turn', "teamId", "channelId", now() + "gapMs" * interval '1 ms' from given
      on conflict (chat, scope, team_id, channel_id) do update
        set blocked_until = excluded.blocked_until where chat_limits.blocked_until <= now()
      returning chat, team_id as "teamId", channel_id as "channelId"
    )
    select "deliveryId" as id from given join taken using (chat, "teamId", "channelId")`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Remembers the waits that chats asked for, by the clock of the database, which all workers share. Rows
 * are always written in the same order, so that no two workers deadlock.
 */
export async function holdLimits(
  transaction: Transaction<Schema>,
  limits: RateLimit[],
): Promise<void> {
  if (limits.length === 0) return;
  await sql`
    insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
    select chat, scope, "teamId", "channelId", now() + make_interval(secs => max(seconds))
    from ${records(limits, `${channelShape}, scope text, seconds float8`)}
    group by chat, scope, "teamId", "channelId" order by chat, scope, "teamId", "channelId"
    on conflict (chat, scope, team_id, channel_id) do update
      set blocked_until = greatest(chat_limits.blocked_until, excluded.blocked_until)`.execute(
    transaction,
  );
}

const channelShape = 'chat text, "teamId" text, "channelId" text';

/** Leaves a row alone that another worker has begun again since. */
export async function writeOutcomes(
  transaction: Transaction<Schema>,
  settlements: Settlement[],
): Promise<void> {
  const changes = settlements.flatMap(({ ticket: { data }, change }) =>
    change ? [{ ...change, userId: data.userId, id: data.deliveryId }] : [],
  );
  if (changes.length === 0) return;
  await sql`
    update deliveries d set outcome = given.outcome, reason = given.reason,
      sent_at = given."sentAt", finished_at = given."finishedAt", receipt = given.receipt,
      sending_at = case when given."nothingPosted" then null else d.sending_at end,
      draft = case when given.outcome = 'pending' then d.draft end,
      draft_accounts = case when given.outcome = 'pending' then d.draft_accounts end,
      figures = given.figures
    from ${records(changes, changeShape)}
    where d.user_id = given."userId" and d.id = given.id and d.outcome = 'pending'
      and d.attempts = given.number`.execute(transaction);
}

const changeShape = `"userId" uuid, id uuid, number int, outcome text, reason text,
  "sentAt" timestamptz, "finishedAt" timestamptz, receipt text, "nothingPosted" boolean,
  figures jsonb`;

/** A chat gave a channel another id: its destination, and the notifications that post there, follow. */
export async function moveChannel(
  { sql: database }: Platform['database'],
  { ticket: { data }, destinationId, channelId }: Attempt,
  movedTo: string,
): Promise<void> {
  const { userId } = data;
  // The destination first, as everywhere: two transactions that lock in one order never deadlock.
  await database.transaction().execute(async (transaction) => {
    await sql`update destinations set channel_id = ${movedTo} where user_id = ${userId}
      and id = ${destinationId} and channel_id = ${channelId}`.execute(transaction);
    await sql`update messengers set channel_id = ${movedTo} where user_id = ${userId}
      and destination_id = ${destinationId} and channel_id = ${channelId}`.execute(transaction);
  });
}

/** The deliveries without an outcome, oldest first, as a job carries them. */
export async function listUnfinished(database: Kysely<Schema>): Promise<PackedDelivery[]> {
  const { rows } = await sql<PackedDelivery>`
    select d.user_id as "userId", d.id as "deliveryId", dest.chat, dest.team_id as "teamId",
      coalesce(d.channel_id, '') as "channelId",
      extract(epoch from d.due_at)::float8 * 1000 as "dueAt"
    from deliveries d
    join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
    join destinations dest on dest.user_id = m.user_id and dest.id = m.destination_id
    where d.outcome = 'pending' order by d.due_at`.execute(database);
  return rows;
}
