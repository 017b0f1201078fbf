import { mailJobs } from '../../identity/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NewJob } from '../../platform/queue/queue.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type DeliveryJob, deliveryJobs } from '../jobs.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import type { Settlement } from './attempt.ts';
import { closeTickets, endedPacks, packsOf } from './packs.ts';
import { holdLimits, writeOutcomes } from './store.ts';

/** Writes what became of deliveries and ends or renews their jobs, in one transaction. */
export async function settle(
  deps: NotificationsDeps,
  settlements: Settlement[],
  now: Date,
): Promise<void> {
  const limits = settlements.flatMap(({ limit }) => limit ?? []);
  const refusals = settlements.flatMap(({ refusal }) => refusal ?? []);
  const faults = settlements.flatMap(({ fault: code, ticket }) =>
    code ? [{ code, deliveryId: ticket.data.deliveryId }] : [],
  );
  await deps.database.sql.transaction().execute(async (transaction) => {
    await writeOutcomes(transaction, settlements);
    await deps.queue.complete(transaction, deliveryJobs, endedPacks(settlements));
    await deps.queue.insert(transaction, deliveryJobs, renewed(settlements));
    await holdLimits(transaction, limits);
    for (const refusal of refusals) await pauseAfterRefusal(deps, transaction, refusal, now);
    if (faults.length > 0) await deps.faults.record(transaction, faults, now);
  });
  closeTickets(settlements);
  report(deps, settlements);
  if (refusals.length > 0) deps.queue.announce(mailJobs);
  if (faults.length > 0) deps.faults.committed();
}

/** Deliveries that wait equally long share new jobs. */
function renewed(settlements: Settlement[]): NewJob<DeliveryJob>[] {
  const waits = Map.groupBy(settlements, ({ againAfterSeconds }) => againAfterSeconds);
  return [...waits].flatMap(([startAfterSeconds, waiting]) => {
    if (startAfterSeconds === null) return [];
    const deliveries = waiting.map(({ ticket }) => ticket.data);
    return packsOf(deliveries, { startAfterSeconds });
  });
}

/** Counts the deliveries that have ended, and logs each of them. */
function report(
  { metrics, log }: Pick<Platform, 'metrics' | 'log'>,
  settlements: Settlement[],
): void {
  for (const { ticket, change } of settlements) {
    if (!change || change.outcome === 'pending') continue;
    const { outcome, kind, reason, sentAt, number: attempts } = change;
    const { deliveryId, dueAt } = ticket.data;
    metrics.deliveryEnded({
      ...{ kind, outcome },
      lagSeconds: sentAt ? (sentAt.getTime() - dueAt) / 1000 : null,
    });
    const line = { deliveryId, kind, outcome, reason, attempts };
    if (outcome === 'delivered') log.debug(line, 'a delivery arrived');
    else log.info(line, 'a delivery did not arrive');
  }
}
