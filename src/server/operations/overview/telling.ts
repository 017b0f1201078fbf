import { sql, type Transaction } from 'kysely';
import type { Settlement } from '../../notifications/deliveries/attempt.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OperatorMailJob, operatorMailJobs } from '../jobs.ts';
import { faultMail } from './fault-mail.ts';

/**
 * Writes to every address of OPERATOR_EMAILS about what only they can mend, once per cause and day
 * (UTC), whatever the number of deliveries and of workers.
 */
export async function tellOperators(
  { configuration, queue }: Pick<Platform, 'configuration' | 'queue'>,
  transaction: Transaction<Schema>,
  settlements: Settlement[],
  now: Date,
): Promise<void> {
  const { operatorEmails, publicUrl } = configuration;
  const faults = new Map<string, string>();
  for (const { fault, ticket } of settlements) {
    if (fault && !faults.has(fault)) faults.set(fault, ticket.data.deliveryId);
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
