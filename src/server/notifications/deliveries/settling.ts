import { mailJobs } from '../../identity/jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NewJob } from '../../platform/queue/queue.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type DeliveryJob, deliveryJobs } from '../jobs.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import type { Settlement } from './attempt.ts';
import type { DeliveryFault } from './faults.ts';
import { closeTickets, endedPacks, packsOf } from './packs.ts';
import { holdLimits, writeOutcomes } from './store.ts';

type SettlingDeps = Pick<
  NotificationsDeps,
  | 'database'
  | 'queue'
  | 'randomness'
  | 'vault'
  | 'configuration'
  | 'chats'
  | 'metrics'
  | 'log'
  | 'faults'
>;

/** Writes what became of deliveries and ends or renews their jobs, in one transaction. */
export async function settle(
  deps: SettlingDeps,
  settlements: Settlement[],
  now: Date,
): Promise<void> {
  const faults = faultsOf(settlements);
  await deps.database.sql.transaction().execute(async (transaction) => {
    await writeOutcomes(transaction, settlements);
    await deps.queue.complete(transaction, deliveryJobs, endedPacks(settlements));
    await deps.queue.insert(transaction, deliveryJobs, renewed(settlements));
    await holdLimits(
      transaction,
      settlements.flatMap(({ limit }) => limit ?? []),
    );
    for (const { refusal } of settlements) {
      if (refusal) await pauseAfterRefusal(deps, transaction, refusal, now);
    }
    if (faults.length > 0) await deps.faults.record(transaction, faults, now);
  });
  closeTickets(settlements);
  report(deps, settlements);
  if (settlements.some(({ refusal }) => refusal)) deps.queue.announce(mailJobs);
  if (faults.length > 0) deps.faults.committed();
}

/** What waits equally long comes back together. */
function renewed(settlements: Settlement[]): NewJob<DeliveryJob>[] {
  const waits = Map.groupBy(settlements, ({ againAfterSeconds }) => againAfterSeconds);
  return [...waits].flatMap(([startAfterSeconds, waiting]) => {
    if (startAfterSeconds === null) return [];
    const deliveries = waiting.map(({ ticket }) => ticket.data);
    return packsOf(deliveries, { startAfterSeconds });
  });
}

function faultsOf(settlements: Settlement[]): DeliveryFault[] {
  return settlements.flatMap(({ fault, ticket }) =>
    fault ? [{ code: fault, deliveryId: ticket.data.deliveryId }] : [],
  );
}

/** Counts what has ended, and writes a line for each that did not simply arrive. */
function report(
  { metrics, log }: Pick<Platform, 'metrics' | 'log'>,
  settlements: Settlement[],
): void {
  for (const { ticket, change } of settlements) {
    if (!change || change.outcome === 'pending') continue;
    const { outcome, kind, reason, sentAt, number: attempts } = change;
    const { deliveryId, dueAt } = ticket.data;
    const lagSeconds = sentAt && (sentAt.getTime() - dueAt) / 1000;
    metrics.deliveryEnded({ kind, outcome, lagSeconds });
    const line = { deliveryId, kind, outcome, reason, attempts };
    if (outcome === 'delivered') log.debug(line, 'a delivery arrived');
    else log.info(line, 'a delivery did not arrive');
  }
}
