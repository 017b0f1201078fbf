import { tellsTransactions } from '../../../shared/message/variables.ts';
import { mailJobs } from '../../identity/jobs.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { lockForRearming, rearmUndelivered } from '../alerts/arming.ts';
import type { DeliveryFault, NotificationsDeps } from '../deps.ts';
import { pauseAfterRefusal } from '../destinations/pausing.ts';
import { mayHaveArrived } from '../outcomes.ts';
import { endBankTransactions } from '../transactions/store.ts';
import type { AttemptOutcome } from './attempt.ts';
import { saveLimits, updateRows } from './store.ts';

/**
 * Writes what became of deliveries, in one transaction. Locks what it pauses and arms before the
 * deliveries: the order of locks of ARCHITECTURE.md, "How a message leaves".
 */
export async function recordOutcomes(
  deps: NotificationsDeps,
  outcomes: AttemptOutcome[],
  now: Date,
): Promise<void> {
  const limits = outcomes.flatMap(({ limit }) => limit ?? []);
  const refusals = outcomes
    .flatMap(({ refusal }) => refusal ?? [])
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const faults = outcomes.flatMap(({ fault: code, delivery }) =>
    code ? [{ code, deliveryId: delivery.id }] : [],
  );
  const ended = outcomes.flatMap(endedBankTransactions);
  const undelivered = outcomes.filter(isUndeliveredAlert).map(({ delivery }) => delivery);
  const others = [limits, refusals, faults, ended, undelivered];
  if (others.every(({ length }) => length === 0)) {
    await updateRows(deps.database.sql, outcomes);
  } else {
    await deps.database.sql.transaction().execute(async (transaction) => {
      for (const refusal of refusals) await pauseAfterRefusal(deps, transaction, refusal, now);
      await lockForRearming(transaction, undelivered);
      await updateRows(transaction, outcomes);
      await rearmUndelivered(transaction, undelivered);
      await endBankTransactions(transaction, ended);
      await saveLimits(transaction, limits);
      if (faults.length > 0) await deps.faults.record(transaction, faults, now);
    });
  }
  report(deps, outcomes);
  if (refusals.length > 0) deps.queue.announce(mailJobs);
  if (faults.length > 0) deps.faults.committed();
}

/** Tells of a fault that is no delivery's outcome. */
export async function recordFault(
  { database, faults, clock }: Pick<NotificationsDeps, 'database' | 'faults' | 'clock'>,
  fault: DeliveryFault,
): Promise<void> {
  await inTransaction(database.sql, (transaction) =>
    faults.record(transaction, [fault], clock.now()),
  );
  faults.committed();
}

/** An alert of which nothing can have arrived. */
function isUndeliveredAlert({ delivery, change }: AttemptOutcome): boolean {
  if (delivery.kind !== 'alert' || !change || change.outcome === 'pending') return false;
  return !mayHaveArrived(change.outcome);
}

/** Of a daily message that has ended, whatever it said. */
function endedBankTransactions({
  delivery,
  change,
}: AttemptOutcome): Parameters<typeof endBankTransactions>[1] {
  const { kind, userId, messengerId, dueAt, hasTransactions, data } = delivery;
  if (
    hasTransactions === false ||
    kind !== 'daily' ||
    change === null ||
    change.outcome === 'pending'
  )
    return [];
  const isTold = mayHaveArrived(change.outcome) && hasToldTransactions(delivery);
  const covered = data?.accounts.filter((account) => account.covered).map(({ id }) => id);
  return [{ userId, messengerId, dueAt, isTold, accounts: covered ?? null }];
}

/** Without its values, a message that may have arrived has told what was read for it. */
function hasToldTransactions({ text = '', data }: AttemptOutcome['delivery']): boolean {
  if (!text.includes('{{') || !tellsTransactions(text)) return false;
  return data === undefined || (data?.transactions != null && data.transactionsChoice !== 'off');
}

const keyOf = (refusal: NonNullable<AttemptOutcome['refusal']>) =>
  `${refusal.userId} ${refusal.destinationId} ${'messengerId' in refusal ? refusal.messengerId : ''}`;

/** Counts the deliveries that have ended, logs each of them, and tells who waits for them. */
function report(
  { metrics, log, signals }: Pick<NotificationsDeps, 'metrics' | 'log' | 'signals'>,
  outcomes: AttemptOutcome[],
): void {
  for (const { delivery, change } of outcomes) {
    if (!change || change.outcome === 'pending') continue;
    const { outcome, reason, sentAt } = change;
    const { id: deliveryId, kind, dueAt, attempts } = delivery;
    metrics.deliveryEnded({
      ...{ kind, outcome },
      lagSeconds: sentAt ? (sentAt.getTime() - dueAt.getTime()) / 1000 : null,
    });
    if (kind === 'test') signals.ended(deliveryId);
    const line = { deliveryId, kind, outcome, reason, attempts };
    if (outcome === 'delivered') log.debug(line, 'a delivery arrived');
    else log.info(line, 'a delivery ended without confirmation');
  }
}
