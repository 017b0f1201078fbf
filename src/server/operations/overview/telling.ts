import { sql, type Transaction } from 'kysely';
import type { DeliveryFault, FaultListener } from '../../notifications/deliveries/faults.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OperatorMailJob, operatorMailJobs } from '../jobs.ts';
import { faultMail } from './fault-mail.ts';

type Needed = Pick<Platform, 'configuration' | 'queue'>;

/** Writes to the operators about deliveries that failed by a fault of the installation. */
export function createFaultListener(deps: Needed): FaultListener {
  return {
    record: (transaction, faults, now) => tellOperators(deps, transaction, faults, now),
    committed: () => deps.queue.announce(operatorMailJobs),
  };
}

/**
 * Writes to every address of OPERATOR_EMAILS about what only they can mend, once per cause and day
 * (UTC), whatever the number of deliveries and of workers.
 */
async function tellOperators(
  { configuration, queue }: Needed,
  transaction: Transaction<Schema>,
  given: DeliveryFault[],
  now: Date,
): Promise<void> {
  const { operatorEmails, publicUrl } = configuration;
  const faults = new Map<string, string>();
  for (const { code, deliveryId } of given) {
    if (!faults.has(code)) faults.set(code, deliveryId);
  }
  if (faults.size === 0 || operatorEmails.length === 0) return;
  // In one order everywhere, so that two workers never wait for each other.
  const mails = [...faults].sort().flatMap(([code, deliveryId]) =>
    operatorEmails.toSorted().map((recipient) => ({
      ...{ cause: `fault:${code}`, recipient },
      ...faultMail({ code, deliveryId, publicUrl }),
    })),
  );
  const { rows } = await sql<OperatorMailJob>`
    insert into operator_mails (cause, day, recipient, subject, body, created_at)
    select cause, ${now.toISOString().slice(0, 10)}::date, recipient, subject, body,
      ${now}::timestamptz
    from ${records(mails, 'cause text, recipient text, subject text, body text')}
    on conflict do nothing returning cause, day, recipient`.execute(transaction);
  const jobs = rows.map((data) => ({ data }));
  await queue.insert(transaction, operatorMailJobs, jobs);
}
