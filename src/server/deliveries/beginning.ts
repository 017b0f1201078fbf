import { sql } from 'kysely';
import { records } from '../database/records.ts';
import type { Parts } from '../parts.ts';
import type { Attempt, DeliveryTicket, RowChange, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

export interface Begun {
  attempts: Attempt[];
  /** What is not to be sent: ended elsewhere, too late, paused, limited, or sent twice without an answer. */
  settlements: Settlement[];
}

/**
 * Marks deliveries as being sent and reads what to send, in one statement right before the posts.
 * A row found so marked and without an outcome was left by a killed worker or a lost answer: it is
 * sent once more, and after that its end is `uncertain`.
 */
export async function begin(
  parts: Pick<Parts, 'database'>,
  tickets: DeliveryTicket[],
  now: Date,
  limits: Pick<DeliveryLimits, 'uselessAfterMs'>,
): Promise<Begun> {
  const usefulSince = new Date(now.getTime() - limits.uselessAfterMs);
  const rows = await mark(parts, tickets, now, usefulSince);
  const found = new Map(rows.map((row) => [row.id, row]));
  const begun: Begun = { attempts: [], settlements: [] };
  for (const ticket of tickets) {
    const row = found.get(ticket.data.deliveryId);
    if (row?.begun) begun.attempts.push(attemptOf(ticket, row));
    else begun.settlements.push(settlementOf(ticket, row, now, usefulSince));
  }
  return begun;
}

interface FoundRow {
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
  zone: string | null;
  offset_minutes: number | null;
  paused_reason: string | null;
  workspace_id: string;
  team_id: string;
  state: string;
  sealed_token: string;
  blocked_seconds: number;
  begun: boolean;
}

async function mark(
  { database }: Pick<Parts, 'database'>,
  tickets: DeliveryTicket[],
  now: Date,
  usefulSince: Date,
): Promise<FoundRow[]> {
  const asked = tickets.map(({ data }) => ({ user_id: data.userId, id: data.deliveryId }));
  const { rows } = await sql<FoundRow>`
    with found as (select f.* from ${records(asked, 'user_id uuid, id uuid')} cross join lateral (
      select d.ctid as place, d.user_id, d.id, d.kind, d.outcome, d.due_at, d.sending_at, d.attempts, d.resends,
        d.messenger_id, coalesce(d.draft, m.message) as text, m.zone, m.offset_minutes,
        case d.kind when 'test' then d.channel_id else m.channel_id end as channel_id,
        case d.kind when 'test' then d.channel_name else m.channel_name end as channel_name,
        case when m.paused_at is not null then coalesce(m.paused_reason, 'paused') end
          as paused_reason,
        w.id as workspace_id, w.team_id, w.state, w.sealed_token,
        coalesce(extract(epoch from l.blocked_until - now()), 0)::float8 as blocked_seconds
      from deliveries d
      join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
      join workspaces w on w.user_id = m.user_id and w.id = m.workspace_id
      left join chat_limits l on l.team_id = w.team_id and l.method = 'post'
      where d.user_id = given.user_id and d.id = given.id limit 1
    ) f), begun as (
      update deliveries d set sending_at = ${now}, attempts = d.attempts + 1,
        resends = d.resends + case when d.sending_at is null then 0 else 1 end,
        channel_id = f.channel_id, channel_name = f.channel_name
      from found f
      where d.ctid = f.place and d.attempts = f.attempts
        and d.outcome = 'pending' and f.channel_id is not null and f.text <> ''
        and f.state = 'connected' and f.blocked_seconds <= 0
        and (d.sending_at is null or (d.resends = 0 and d.kind = 'daily'))
        and (d.kind = 'test' or (f.paused_reason is null and d.due_at >= ${usefulSince}))
      returning d.id
    )
    select f.*, f.id in (select id from begun) as begun from found f`.execute(database.sql);
  return rows;
}

function attemptOf(ticket: DeliveryTicket, row: FoundRow): Attempt {
  return {
    ticket,
    kind: row.kind,
    dueAt: row.due_at,
    messengerId: row.messenger_id,
    workspaceId: row.workspace_id,
    teamId: row.team_id,
    channelId: row.channel_id ?? '',
    sealedToken: row.sealed_token,
    text: row.text,
    zone: row.zone,
    offsetMinutes: row.offset_minutes,
    number: row.attempts + 1,
    resends: row.resends + (row.sending_at ? 1 : 0),
  };
}

function settlementOf(
  ticket: DeliveryTicket,
  row: FoundRow | undefined,
  now: Date,
  usefulSince: Date,
): Settlement {
  if (row?.outcome !== 'pending') return { ticket, change: null, againAfterSeconds: null };
  const end = endOf(row, usefulSince);
  if (!end) return { ticket, change: null, againAfterSeconds: Math.max(1, row.blocked_seconds) };
  const nothing = { sentAt: null, chatTs: null, nothingPosted: false };
  return {
    ticket,
    change: { number: row.attempts, finishedAt: now, ...nothing, ...end },
    againAfterSeconds: null,
  };
}

/** Null when it can be sent later: the team has to wait, or another worker is at it. */
function endOf(row: FoundRow, usefulSince: Date): Pick<RowChange, 'outcome' | 'reason'> | null {
  const { kind, sending_at: sendingAt, resends } = row;
  if (kind === 'test' && sendingAt) return { outcome: 'uncertain', reason: 'test_answer_lost' };
  const useless = kind === 'daily' && row.due_at < usefulSince;
  if (sendingAt && resends > 0) return { outcome: 'uncertain', reason: 'answer_lost' };
  if (useless && (sendingAt || resends > 0)) return { outcome: 'uncertain', reason: 'answer_lost' };
  if (useless) return { outcome: 'missed', reason: 'too_late' };
  if (row.state !== 'connected') return { outcome: 'failed', reason: 'account_inactive' };
  if (kind === 'daily' && row.paused_reason)
    return { outcome: 'failed', reason: row.paused_reason };
  if (!row.channel_id || !row.text) return { outcome: 'failed', reason: 'incomplete' };
  if (kind === 'test' && row.blocked_seconds > 0)
    return { outcome: 'failed', reason: 'ratelimited' };
  return null;
}
