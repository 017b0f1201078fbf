import { sql } from 'kysely';
import { hasVariable, hasVariables } from '../../../shared/message/variables.ts';
import { records } from '../../platform/database/records.ts';
import type { Platform } from '../../platform/platform.ts';
import { readData, type StoredData } from '../messages/queries.ts';
import type { Attempt, DeliveryTicket, RowChange, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';
import { waitingForTurn } from './turns.ts';

type BeginningLimits = Pick<
  DeliveryLimits,
  'uselessAfterMs' | 'answerWithinMs' | 'testWithinMs' | 'channelGapMs'
>;

export interface Begun {
  attempts: Attempt[];
  /** What is not to be sent: ended elsewhere, too late, paused, limited, or sent twice without an answer. */
  settlements: Settlement[];
}

/**
 * Marks deliveries as being sent and reads what to send, in one statement right before the posts.
 * A row found so marked and without an outcome was left by a lost answer, which is noted as its
 * reason, or by a killed worker: it is sent once more, and after that its end is `uncertain`. Marked
 * just now and without a reason, it is in another worker's hands and left there.
 */
export async function begin(
  deps: Pick<Platform, 'database'>,
  tickets: DeliveryTicket[],
  now: Date,
  limits: BeginningLimits,
): Promise<Begun> {
  const waiting = await waitingForTurn(deps, tickets, limits);
  const ready = waiting.size > 0 ? tickets.filter((ticket) => !waiting.has(ticket)) : tickets;
  const rows = await mark(deps, ready, now, limits);
  const found = new Map(rows.map((row) => [row.id, row]));
  const data = await dataOf(deps, rows);
  const begun: Begun = { attempts: [], settlements: [] };
  for (const ticket of waiting) {
    const againAfterSeconds = limits.channelGapMs / 1000;
    begun.settlements.push({ ticket, change: null, againAfterSeconds });
  }
  for (const ticket of ready) {
    const row = found.get(ticket.data.deliveryId);
    if (row?.begun) begun.attempts.push(attemptOf(ticket, row, data.get(row.id) ?? null));
    else begun.settlements.push(settlementOf(ticket, row, now, limits));
  }
  return begun;
}

/** Nothing is read for texts without variables. */
async function dataOf(
  { database }: Pick<Platform, 'database'>,
  rows: FoundRow[],
): Promise<Map<string, StoredData>> {
  const filled = rows.filter(
    (row) => row.begun && (row.variables ?? (row.kind === 'test' && hasVariables(row.text))),
  );
  const asked = filled.map(({ user_id: userId, messenger_id: messengerId, text, ...row }) => ({
    ...{ userId, messengerId, chosen: row.draft_accounts },
    withPrevious: hasVariable(text, 'variation'),
  }));
  const data = await readData(database.sql, asked);
  return new Map(
    filled.flatMap(({ id }, index) => {
      const found = data[index];
      return found ? [[id, found] as const] : [];
    }),
  );
}

interface FoundRow {
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
  workspace_id: string;
  team_id: string;
  state: string;
  sealed_token: string;
  blocked_seconds: number;
  in_hands: boolean;
  begun: boolean;
}

async function mark(
  { database }: Pick<Platform, 'database'>,
  tickets: DeliveryTicket[],
  now: Date,
  limits: BeginningLimits,
): Promise<FoundRow[]> {
  const usefulSince = new Date(now.getTime() - limits.uselessAfterMs);
  const testsSince = new Date(now.getTime() - limits.testWithinMs);
  const asked = tickets.map(({ data }) => ({ user_id: data.userId, id: data.deliveryId }));
  const { rows } = await sql<FoundRow>`
    with found as (select f.* from ${records(asked, 'user_id uuid, id uuid')} cross join lateral (
      select d.ctid as place, d.user_id, d.id, d.kind, d.outcome, d.due_at, d.sending_at,
        d.attempts, d.resends, d.messenger_id, coalesce(d.draft, m.message) as text, m.zone, m.offset_minutes,
        case d.kind when 'test' then d.channel_id else m.channel_id end as channel_id,
        case d.kind when 'test' then d.channel_name else m.channel_name end as channel_name,
        case when coalesce(d.draft, m.message) = m.message then m.variables end as variables,
        d.draft_accounts,
        case when m.paused_at is not null then coalesce(m.paused_reason, 'paused')
          when m.stopped or m.paused_until > d.local_date then 'paused' end as paused_reason,
        w.id as workspace_id, w.team_id, w.state, w.sealed_token,
        coalesce(extract(epoch from l.blocked_until - now()), 0)::float8 as blocked_seconds,
        d.reason is null and coalesce(abs(extract(epoch from d.sending_at - ${now}::timestamptz))
          * 1000 < ${limits.answerWithinMs}, false) as in_hands
      from deliveries d
      join messengers m on m.user_id = d.user_id and m.id = d.messenger_id
      join workspaces w on w.user_id = m.user_id and w.id = m.workspace_id
      left join chat_limits l on l.team_id = w.team_id and l.method = 'post'
      where d.user_id = given.user_id and d.id = given.id limit 1
    ) f), begun as (
      update deliveries d set sending_at = ${now}, reason = null, attempts = d.attempts + 1,
        resends = d.resends + case when d.sending_at is null then 0 else 1 end,
        channel_id = f.channel_id, channel_name = f.channel_name
      from found f
      where d.ctid = f.place and d.attempts = f.attempts
        and d.outcome = 'pending' and f.channel_id is not null and f.text <> ''
        and f.state = 'connected' and f.blocked_seconds <= 0 and not f.in_hands
        and (d.sending_at is null or (d.resends = 0 and d.kind = 'daily'))
        and d.due_at >= case d.kind when 'test' then ${testsSince}::timestamptz
          else ${usefulSince}::timestamptz end
        and (d.kind = 'test' or f.paused_reason is null)
      returning d.id
    )
    select f.id, f.kind, f.outcome, f.due_at, f.sending_at, f.attempts, f.resends, f.messenger_id,
      f.channel_id, f.text, f.zone, f.offset_minutes, f.paused_reason, f.workspace_id, f.team_id,
      f.user_id, f.variables, f.draft_accounts, f.state, f.sealed_token, f.blocked_seconds,
      f.in_hands, f.id in (select id from begun) as begun
    from found f`.execute(database.sql);
  return rows;
}

function attemptOf(ticket: DeliveryTicket, row: FoundRow, data: StoredData | null): Attempt {
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
    data,
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
  limits: BeginningLimits,
): Settlement {
  if (row?.outcome !== 'pending') return { ticket, change: null, againAfterSeconds: null };
  const end = endOf(row, now, limits);
  if (!end) return { ticket, change: null, againAfterSeconds: Math.max(1, row.blocked_seconds) };
  const nothing = { sentAt: null, chatTs: null, nothingPosted: false };
  return {
    ticket,
    change: { number: row.attempts, kind: row.kind, finishedAt: now, ...nothing, ...end },
    againAfterSeconds: null,
  };
}

/** Null when it can be sent later: the team has to wait, or another worker is at it. */
function endOf(
  row: FoundRow,
  now: Date,
  limits: BeginningLimits,
): Pick<RowChange, 'outcome' | 'reason'> | null {
  if (row.in_hands) return null;
  const ageMs = now.getTime() - row.due_at.getTime();
  return row.kind === 'test'
    ? endOfTest(row, ageMs > limits.testWithinMs)
    : endOfDaily(row, ageMs > limits.uselessAfterMs);
}

function endOfTest(row: FoundRow, useless: boolean): ReturnType<typeof endOf> {
  if (row.sending_at) return { outcome: 'uncertain', reason: 'test_answer_lost' };
  if (useless) return { outcome: 'cancelled', reason: 'test_cancelled' };
  if (row.state !== 'connected') return { outcome: 'failed', reason: 'account_inactive' };
  if (!row.channel_id || !row.text) return { outcome: 'failed', reason: 'incomplete' };
  return row.blocked_seconds > 0 ? { outcome: 'failed', reason: 'ratelimited' } : null;
}

/** What may stand in the chat already is no failure, even when it cannot be sent again. */
function endOfDaily(row: FoundRow, useless: boolean): ReturnType<typeof endOf> {
  const isLost = row.sending_at !== null || row.resends > 0;
  if (row.sending_at && row.resends > 0) return { outcome: 'uncertain', reason: 'answer_lost' };
  const obstacle = obstacleOf(row, useless);
  if (!obstacle || !isLost) return obstacle;
  return { outcome: 'uncertain', reason: row.resends > 0 ? 'answer_lost' : 'unconfirmed' };
}

function obstacleOf(row: FoundRow, useless: boolean): ReturnType<typeof endOf> {
  if (useless) return { outcome: 'missed', reason: 'too_late' };
  if (row.state !== 'connected') return { outcome: 'failed', reason: 'account_inactive' };
  if (row.paused_reason) return { outcome: 'failed', reason: row.paused_reason };
  if (!row.channel_id || !row.text) return { outcome: 'failed', reason: 'incomplete' };
  return null;
}
