import { hasVariable, hasVariables } from '../../../shared/message/variables.ts';
import type { NotificationsDeps } from '../deps.ts';
import { readData, type StoredData } from '../messages/queries.ts';
import type { Attempt, DeliveryTicket, Settlement } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';
import { outcomeOfFound } from './outcome.ts';
import { type FoundDelivery, markSending, takeTurns } from './store.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'chats'>;

export interface Begun {
  attempts: Attempt[];
  /** What is not to be sent: ended elsewhere, too late, paused, limited, or sent twice without an answer. */
  settlements: Settlement[];
}

/**
 * Marks deliveries as being sent and reads what to send, right before the posts. A row found so
 * marked and without an outcome was left by a lost answer, which is noted as its reason, or by a
 * killed worker: where its chat allows it, it is sent once more. Marked just now and without a
 * reason, another worker is sending it, and it is left there.
 */
export async function begin(
  deps: Needed,
  tickets: DeliveryTicket[],
  now: Date,
  limits: DeliveryLimits,
): Promise<Begun> {
  const gapOf = ({ data: { chat } }: DeliveryTicket) =>
    limits.paceOf(chat === undefined ? undefined : deps.chats.get(chat)).channelGapMs;
  const waiting = await waitingForTurn(deps, tickets, gapOf);
  const ready = waiting.size > 0 ? tickets.filter((ticket) => !waiting.has(ticket)) : tickets;
  const repeats = new Map([...deps.chats].map(([kind, { repeat }]) => [kind, repeat]));
  const rows = await markSending(deps.database, ready, repeats, now, limits);
  const found = new Map(rows.map((row) => [row.id, row]));
  const data = await dataOf(deps, rows);
  const begun: Begun = { attempts: [], settlements: [] };
  for (const ticket of waiting) {
    begun.settlements.push({ ticket, change: null, againAfterSeconds: gapOf(ticket) / 1000 });
  }
  for (const ticket of ready) {
    const row = found.get(ticket.data.deliveryId);
    if (row?.begun) begun.attempts.push(attemptOf(ticket, row, data.get(row.id) ?? null, now));
    else {
      const chat = row && deps.chats.get(row.chat);
      begun.settlements.push(outcomeOfFound(ticket, row, chat, { now, limits }));
    }
  }
  return begun;
}

/**
 * In a channel that several notifications share, workers take turns. Returns what has to wait. The
 * embedded database has one worker, whose limiter keeps the gap by itself.
 */
async function waitingForTurn(
  { database }: Needed,
  tickets: DeliveryTicket[],
  gapOf: (ticket: DeliveryTicket) => number,
): Promise<Set<DeliveryTicket>> {
  const shared = tickets.filter(({ data }) => data.shared);
  if (shared.length === 0 || database.engine === 'embedded') return new Set();
  const mine = await takeTurns(
    database,
    shared.map((ticket) => ({ delivery: ticket.data, channelGapMs: gapOf(ticket) })),
  );
  return new Set(shared.filter(({ data }) => !mine.has(data.deliveryId)));
}

/** Nothing is read for texts without variables. */
async function dataOf(
  { database }: Needed,
  rows: FoundDelivery[],
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

function attemptOf(
  ticket: DeliveryTicket,
  row: FoundDelivery,
  data: StoredData | null,
  now: Date,
): Attempt {
  return {
    ticket,
    kind: row.kind,
    dueAt: row.due_at,
    begunAt: now,
    messengerId: row.messenger_id,
    destinationId: row.destination_id,
    chat: row.chat,
    teamId: row.team_id,
    channelId: row.channel_id ?? '',
    sealedSecret: row.sealed_secret,
    text: row.text,
    data,
    zone: row.zone,
    offsetMinutes: row.offset_minutes,
    number: row.attempts + 1,
    resends: row.resends + (row.sending_at ? 1 : 0),
  };
}
