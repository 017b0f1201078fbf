import type { FetchedJob, JobAttempt, NewJob } from '../../platform/queue/queue.ts';
import type { DeliveryJob, PackedDelivery } from '../jobs.ts';
import type { DeliveryTicket, Settlement } from './attempt.ts';

/**
 * One job carries several deliveries, because a job costs the database as much as a delivery. They
 * are independent of each other: the job ends with the last of them, and when it is fetched again
 * after a crash, those that have ended are passed over.
 */
export function packsOf(
  deliveries: PackedDelivery[],
  options: Omit<NewJob<DeliveryJob>, 'data'> = {},
): NewJob<DeliveryJob>[] {
  const packs: NewJob<DeliveryJob>[] = [];
  for (let start = 0; start < deliveries.length; start += packSize) {
    const data = { deliveries: deliveries.slice(start, start + packSize) };
    packs.push({ data, ...options });
  }
  return packs;
}

export function ticketsOf({ id, retryCount, data }: FetchedJob<DeliveryJob>): DeliveryTicket[] {
  const pack = { id, retryCount, open: data.deliveries.length };
  // Jobs that were queued before there were several chats name none.
  return data.deliveries.map(({ chat = 'slack', ...delivery }) => ({
    data: { ...delivery, chat },
    pack,
  }));
}

/** The jobs whose last deliveries are among these. */
export function endedPacks(settlements: Settlement[]): JobAttempt[] {
  const counts = Map.groupBy(settlements, ({ ticket }) => ticket.pack);
  return [...counts]
    .filter(([pack, settled]) => settled.length >= pack.open)
    .map(([{ id, retryCount }]) => ({ id, retryCount }));
}

/** To be called once the settlements are committed. */
export function closeTickets(settlements: Settlement[]): void {
  for (const { ticket } of settlements) ticket.pack.open -= 1;
}

const packSize = 20;
