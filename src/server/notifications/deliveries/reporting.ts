import type { Platform } from '../../platform/platform.ts';
import type { Settlement } from './attempt.ts';

/** Counts what has ended, and writes a line for each that did not simply arrive. */
export function report(
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
