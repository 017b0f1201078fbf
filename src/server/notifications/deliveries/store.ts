import { type Kysely, sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatKind, Repeat } from '../../providers/chats/port.ts';
import type { PackedDelivery } from '../jobs.ts';
import type { Attempt, DeliveryTicket, Limit, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

/** A delivery as it stood before `markSending`, with all that a post needs. */
export interface FoundDelivery {
  user_id: string;
  id: string;
  kind: 'daily' | 'test';
  outcome: string;
  due_at: Date;
  sending_at: Date | null;
  attempts: number;
  resends: number;
  messenger_id: string;
  channel_id: string | null;
  text: string;
  /** Null for a draft, which says by itself. */
  variables: boolean | null;
  draft_accounts: number[] | null;
  zone: string | null;
  offset_minutes: number | null;
  paused_reason: string | null;
  destination_id: string;
  chat: ChatKind;
  team_id: string;
  state: string;
  sealed_secret: string;
  /** How long its chat still asks to wait. */
  blocked_seconds: number;
  /** Another worker is sending it. */
  in_hands: boolean;
  /** Its chat still allows sending it again, should its answer be lost. */
  repeatable: boolean;
  /** It is marked now, and to be posted. */
  begun: boolean;
}

/** What of the chats that are offered here decides whether a delivery may begin. */
export type Repeats = ReadonlyMap<ChatKind, Repeat>;

/**
 * Marks as being sent what may be sent now, and reads it, in one statement. What it leaves unmarked is
 * read too: outcome.ts says what becomes of it, by the same conditions.
 */
export async function markSending(
  { sql: database }: Platform['database'],
  tickets: DeliveryTicket[],
  repeats: Repeats,
  now: Date,
  limits: Pick<DeliveryLimits, 'uselessAfterMs' | 'answerWithinMs' | 'testWithinMs'>,
): Promise<FoundDelivery[]> {
  const usefulSince = new Date(now.getTime() - limits.uselessAfterMs);
  const testsSince = new Date(now.getTime() - limits.testWithinMs);
  const asked = tickets.map(({ data }) => ({ user_id: data.userId, id: data.deliveryId }));
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
        w.id as destination_id, w.chat, w.team_id, w.state, w.sealed_secret,
        coalesce(extract(epoch from l.blocked_until - now()), 0)::float8 as blocked_seconds,
        d.reason is null and coalesce(abs(extract(epoch from d.sending_at - ${now}::timestamptz))
          * 1000 < ${limits.answerWithinMs}, false) as in_hands,
        r.chat is not null as is_offered,
        coalesce(r.repeats and (r.within_ms is null or
          extract(epoch from ${now}::timestamptz - d.sending_at) * 1000 <= r.within_ms), false)
          as repeatable
      from deliveries d
      join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
      join destinations w on w.user_id = m.user_id and w.id = m.destination_id
      left join (select * from ${records(repeatRows(repeats), repeatShape)}) r on r.chat = w.chat
      left join lateral (
        select max(blocked_until) as blocked_until from chat_limits l where l.chat = w.chat
          and (l.scope, l.team_id, l.channel_id) in (('service', '', ''), ('team', w.team_id, ''),
            ('channel', w.team_id, case d.kind when 'test' then d.channel_id else m.channel_id end))
      ) l on true
      where d.user_id = given.user_id and d.id = given.id limit 1
    ) f), begun as (
      update deliveries d set sending_at = ${now}, reason = null, attempts = d.attempts + 1,
        resends = d.resends + case when d.sending_at is null then 0 else 1 end,
        channel_id = f.channel_id, channel_name = f.channel_name
      from found f
      where d.ctid = f.row_place and d.attempts = f.attempts
        and d.outcome = 'pending' and f.channel_id is not null and f.text <> ''
        and f.is_offered and f.state = 'connected' and f.blocked_seconds <= 0 and not f.in_hands
        and (d.sending_at is null or (d.resends = 0 and d.kind = 'daily' and f.repeatable))
        and d.due_at >= case d.kind when 'test' then ${testsSince}::timestamptz
          else ${usefulSince}::timestamptz end
        and (d.kind = 'test' or f.paused_reason is null)
      returning d.id
    )
    select f.id, f.kind, f.outcome, f.due_at, f.sending_at, f.attempts, f.resends, f.messenger_id,
      f.channel_id, f.text, f.zone, f.offset_minutes, f.paused_reason, f.destination_id, f.chat,
      f.team_id, f.user_id, f.variables, f.draft_accounts, f.state, f.sealed_secret,
      f.blocked_seconds, f.in_hands, f.repeatable, f.id in (select id from begun) as begun
    from found f`.execute(database);
  return rows;
}

const repeatShape = 'chat text, repeats boolean, within_ms float8';

function repeatRows(repeats: Repeats): object[] {
  return [...repeats].map(([chat, repeat]) => ({
    chat,
    repeats: repeat !== 'never',
    within_ms: typeof repeat === 'object' ? repeat.withinMs : null,
  }));
}

/**
 * Takes the turn in channels that several notifications share: a message may begin there when none
 * has begun within the gap, in any worker. Returns the ids of the deliveries whose turn it is.
 */
export async function takeTurns(
  { sql: database }: Platform['database'],
  asked: { delivery: PackedDelivery; channelGapMs: number }[],
): Promise<Set<string>> {
  const rows = asked
    .map(({ delivery: { chat, teamId, channelId, deliveryId }, channelGapMs }) => ({
      ...{ chat: chat ?? '', team_id: teamId, channel_id: channelId },
      ...{ delivery_id: deliveryId, gap_ms: channelGapMs },
    }))
    .sort(byChannel);
  const { rows: taken } = await sql<{ delivery_id: string }>`
    with given as materialized (
      select distinct on (chat, team_id, channel_id) *
      from ${records(rows, 'chat text, team_id text, channel_id text, delivery_id uuid, gap_ms int')}
      order by chat, team_id, channel_id
    ), taken as (
      insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
      select chat, 'turn', team_id, channel_id, now() + gap_ms * interval '1 ms' from given
      on conflict (chat, scope, team_id, channel_id) do update
        set blocked_until = excluded.blocked_until where chat_limits.blocked_until <= now()
      returning chat, team_id, channel_id
    )
    select delivery_id from given join taken using (chat, team_id, channel_id)`.execute(database);
  return new Set(taken.map(({ delivery_id: id }) => id));
}

/** By the database's clock: every worker waits equally long, whatever its own clock says. */
export async function holdLimits(transaction: Transaction<Schema>, limits: Limit[]): Promise<void> {
  const longest = new Map<string, Limit>();
  for (const limit of limits) {
    const key = JSON.stringify([limit.chat, limit.scope, limit.teamId, limit.channelId]);
    if (limit.seconds > (longest.get(key)?.seconds ?? 0)) longest.set(key, limit);
  }
  if (longest.size === 0) return;
  const rows = [...longest.values()]
    .map(({ chat, scope, teamId, channelId, seconds }) => ({
      ...{ chat, scope, team_id: teamId, channel_id: channelId, seconds },
    }))
    .sort(byChannel);
  await sql`
    insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
    select chat, scope, team_id, channel_id, now() + make_interval(secs => seconds)
    from ${records(rows, 'chat text, scope text, team_id text, channel_id text, seconds float8')}
    on conflict (chat, scope, team_id, channel_id) do update
      set blocked_until = greatest(chat_limits.blocked_until, excluded.blocked_until)`.execute(
    transaction,
  );
}

interface ChannelRow {
  chat: ChatKind;
  scope?: string;
  team_id: string;
  channel_id: string;
}

/** One order everywhere, so that two workers never wait for each other. */
function byChannel(one: ChannelRow, other: ChannelRow): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function keyOf({ chat, scope = '', team_id, channel_id }: ChannelRow): string {
  return [chat, scope, team_id, channel_id].join(' ');
}

/** A row that another worker has begun since is left to that worker. */
export async function writeOutcomes(
  transaction: Transaction<Schema>,
  settlements: Settlement[],
): Promise<void> {
  const rows = settlements.flatMap(({ ticket: { data }, change }) =>
    change ? [rowOf(data, change)] : [],
  );
  if (rows.length === 0) return;
  await sql`
    update deliveries d set outcome = given.outcome, reason = given.reason,
      sent_at = given.sent_at, finished_at = given.finished_at, receipt = given.receipt,
      sending_at = case when given.nothing_posted then null else d.sending_at end,
      draft = case when given.outcome = 'pending' then d.draft end,
      draft_accounts = case when given.outcome = 'pending' then d.draft_accounts end,
      figures = given.figures
    from ${records(rows, changeShape)}
    where d.user_id = given.user_id and d.id = given.id and d.outcome = 'pending'
      and d.attempts = given.number`.execute(transaction);
}

function rowOf(
  { userId, deliveryId }: PackedDelivery,
  change: NonNullable<Settlement['change']>,
): object {
  return {
    user_id: userId,
    id: deliveryId,
    number: change.number,
    outcome: change.outcome,
    reason: change.reason,
    sent_at: change.sentAt,
    finished_at: change.finishedAt,
    receipt: change.receipt,
    nothing_posted: change.nothingPosted,
    figures: change.figures ?? null,
  };
}

const changeShape = `user_id uuid, id uuid, number int, outcome text, reason text,
  sent_at timestamptz, finished_at timestamptz, receipt text, nothing_posted boolean, figures jsonb`;

/** The chat gave a channel another id: whatever of the same destination posts there follows it. */
export async function moveChannel(
  { sql: database }: Platform['database'],
  { ticket: { data }, destinationId, channelId }: Attempt,
  movedTo: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('destinations')
      .set({ channel_id: movedTo })
      .where('user_id', '=', data.userId)
      .where('id', '=', destinationId)
      .where('channel_id', '=', channelId)
      .execute();
    await transaction
      .updateTable('messengers')
      .set({ channel_id: movedTo })
      .where('user_id', '=', data.userId)
      .where('destination_id', '=', destinationId)
      .where('channel_id', '=', channelId)
      .execute();
  });
}

/** What has no outcome yet, oldest first, as a job carries it. */
export async function listUnfinished(database: Kysely<Schema>): Promise<PackedDelivery[]> {
  const { rows } = await sql<PackedDelivery>`
    select d.user_id as "userId", d.id as "deliveryId", w.chat, w.team_id as "teamId",
      coalesce(d.channel_id, '') as "channelId",
      extract(epoch from d.due_at)::float8 * 1000 as "dueAt"
    from deliveries d
    join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
    join destinations w on w.user_id = m.user_id and w.id = m.destination_id
    where d.outcome = 'pending' order by d.due_at`.execute(database);
  return rows;
}
