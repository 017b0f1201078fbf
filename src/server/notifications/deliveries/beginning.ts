import { hasVariable, hasVariables } from '../../../shared/message/variables.ts';
import type { NotificationsDeps } from '../deps.ts';
import { readData, type StoredData } from '../messages/queries.ts';
import type { Attempt, DeliveryTicket, FoundDelivery, Settlement } from './attempt.ts';
import { outcomeOfFound } from './outcome.ts';
import type { DeliverySettings } from './settings.ts';
import { markSending, takeTurns } from './store.ts';

type Needed = Pick<NotificationsDeps, 'database' | 'chats'>;

export interface Begun {
  attempts: Attempt[];
  /** For the deliveries that are not sent now: ended or paused meanwhile, too late, or limited. */
  settlements: Settlement[];
}

/**
 * Marks deliveries as being sent and reads what to send, right before they are posted.
 *
 * A delivery may be marked already: a worker was killed while it posted, or the answer was lost and
 * the row has a reason. It is sent once more if its chat allows that. But if it was marked a moment
 * ago and has no reason yet, another worker is still sending it, and it is left to that worker.
 */
export async function begin(
  deps: Needed,
  tickets: DeliveryTicket[],
  now: Date,
  settings: DeliverySettings,
): Promise<Begun> {
  const gapOf = ({ data }: DeliveryTicket) =>
    settings.paceOf(deps.chats.get(data.chat)).channelGapMs;
  const waiting = await waitingForTurn(deps, tickets, gapOf);
  const ready = tickets.filter((ticket) => !waiting.has(ticket));
  const rows = await markSending(deps, ready, now, settings);
  const found = new Map(rows.map((row) => [row.id, row]));
  const data = await dataOf(deps, rows);
  const begun: Begun = { attempts: [], settlements: [] };
  for (const ticket of waiting) {
    begun.settlements.push({ ticket, change: null, againAfterSeconds: gapOf(ticket) / 1000 });
  }
  for (const ticket of ready) {
    const row = found.get(ticket.data.deliveryId);
    if (row?.isBegun) {
      begun.attempts.push({
        ...row,
        ticket,
        begunAt: now,
        data: data.get(row.id) ?? null,
        channelId: row.channelId ?? '',
        number: row.attempts + 1,
        resends: row.resends + (row.sendingAt ? 1 : 0),
      });
    } else {
      const chat = row && deps.chats.get(row.chat);
      begun.settlements.push(outcomeOfFound(ticket, row, chat, { now, settings }));
    }
  }
  return begun;
}

/**
 * The deliveries that cannot begin yet because another worker has just posted in their channel. Only
 * channels that several notifications share are looked at. The embedded database has a single
 * worker, whose limiter keeps the gap by itself.
 */
async function waitingForTurn(
  { database }: Needed,
  tickets: DeliveryTicket[],
  gapOf: (ticket: DeliveryTicket) => number,
): Promise<Set<DeliveryTicket>> {
  const shared = tickets.filter(({ data }) => data.shared);
  if (shared.length === 0 || database.engine === 'embedded') return new Set();
  const asked = shared.map((ticket) => ({ ...ticket.data, gapMs: gapOf(ticket) }));
  const admitted = await takeTurns(database, asked);
  return new Set(shared.filter(({ data }) => !admitted.has(data.deliveryId)));
}

/** The values of variables, by delivery. Reads nothing for texts without variables. */
async function dataOf(
  { database }: Needed,
  rows: FoundDelivery[],
): Promise<Map<string, StoredData>> {
  const filled = rows.filter(
    (row) => row.isBegun && (row.variables ?? (row.kind === 'test' && hasVariables(row.text))),
  );
  const data = await readData(
    database.sql,
    filled.map(({ userId, messengerId, draftAccounts, text }) => ({
      ...{ userId, messengerId, chosen: draftAccounts },
      withPrevious: hasVariable(text, 'variation'),
    })),
  );
  return new Map(filled.flatMap(({ id }, index) => (data[index] ? [[id, data[index]]] : [])));
}
