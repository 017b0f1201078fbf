import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Locks the notifications of deliveries, as an evaluation of their alerts does: none decides meanwhile.
 * Before the deliveries, as everywhere: see docs/decisions/0018-rows-are-the-queue.md.
 */
export async function lockMessengersOf(
  transaction: Transaction<Schema>,
  deliveries: { userId: string; messengerId: string }[],
): Promise<void> {
  const ids = deliveries.map(({ messengerId }) => messengerId);
  await sql`select from messengers where id = any(${ids}::uuid[])
    order by user_id, id for update`.execute(transaction);
}

/**
 * Arms the alerts again whose crossings these deliveries were to tell, where they have ended and nothing
 * of them can have arrived: the next figure that may be told tells a balance that is still under the
 * amount.
 */
export async function rearmUndelivered(
  transaction: Transaction<Schema>,
  deliveryIds: string[],
): Promise<void> {
  await rearm(
    transaction,
    sql`c.delivery_id = any(${deliveryIds}::uuid[]) and exists (select from deliveries d
      where d.user_id = c.user_id and d.messenger_id = c.messenger_id and d.id = c.delivery_id
        and d.outcome in ('failed', 'missed', 'cancelled'))`,
  );
}

/** Forgets crossings that their notification cannot tell, and arms their alerts again. */
export async function discardUndeliverable(
  transaction: Transaction<Schema>,
  userId: string,
  crossingIds: number[],
): Promise<void> {
  const dropped = sql`c.user_id = ${userId} and c.id = any(${crossingIds}::bigint[])`;
  await rearm(transaction, dropped);
  await sql`delete from alert_crossings c where ${dropped}`.execute(transaction);
}

/**
 * Not an alert that was changed since, which began anew, nor one that has found another crossing since.
 */
async function rearm(
  transaction: Transaction<Schema>,
  condition: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update alerts w set armed = true from alert_crossings c
    where ${condition} and w.user_id = c.user_id and w.id = c.alert_id and w.kind = 'below'
      and w.updated_at <= c.created_at
      and not exists (select from alert_crossings later where later.user_id = c.user_id
        and later.alert_id = c.alert_id and later.id > c.id)`.execute(transaction);
}
