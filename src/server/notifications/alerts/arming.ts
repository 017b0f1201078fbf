import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { notArrivedOutcomes } from '../outcomes.ts';

/**
 * To be called before deliveries are written that `rearmUndelivered` may be about, in the order of locks
 * of ARCHITECTURE.md, "How a message leaves". Locks their notifications, as an evaluation of alerts does:
 * none decides meanwhile. Then their alerts: the removal of an account erases alerts, and then figures
 * from deliveries.
 */
export async function lockForRearming(
  transaction: Transaction<Schema>,
  deliveries: { id: string; messengerId: string }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const messengerIds = deliveries.map(({ messengerId }) => messengerId);
  await sql`select from messengers where id = any(${messengerIds}::uuid[])
    order by user_id, id for update`.execute(transaction);
  const deliveryIds = deliveries.map(({ id }) => id);
  await sql`select from alerts w where (user_id, id) in (select c.user_id, c.alert_id
      from alert_crossings c where c.delivery_id = any(${deliveryIds}::uuid[]))
    order by user_id, id for no key update`.execute(transaction);
}

/**
 * Arms the alerts again whose crossings these deliveries were to tell, where they have ended and nothing
 * of them can have arrived: the next figure that may be told tells a balance that is still under the
 * amount. What they last told is what they told before, as far as that is kept.
 */
export async function rearmUndelivered(
  transaction: Transaction<Schema>,
  deliveries: { id: string }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const deliveryIds = deliveries.map(({ id }) => id);
  const undelivered = sql`c.delivery_id = any(${deliveryIds}::uuid[]) and ${isLost(sql`c`)}`;
  await rearm(transaction, undelivered, sql`not ${isLost(sql`told`)}`);
}

/** Forgets crossings that their notification cannot tell, and arms their alerts again. */
export async function discardUndeliverable(
  transaction: Transaction<Schema>,
  userId: string,
  crossingIds: number[],
): Promise<void> {
  const dropped = sql`c.user_id = ${userId} and c.id = any(${crossingIds}::bigint[])`;
  const isKept = sql`told.id <> all(${crossingIds}::bigint[]) and not ${isLost(sql`told`)}`;
  await rearm(transaction, dropped, isKept);
  await sql`delete from alert_crossings c where ${dropped}`.execute(transaction);
}

/**
 * Forgets the crossings found `before`, but not what a delivery is still to tell. Their alerts keep the
 * moment of the newest that may have arrived. Alerts are locked before, as an evaluation locks them.
 */
export async function forgetTold(transaction: Transaction<Schema>, before: Date): Promise<void> {
  const isOld = sql`c.delivery_id is not null and c.created_at < ${before}
    and c.delivery_id not in (select id from deliveries
      where outcome = 'pending' and kind = 'alert')`;
  await sql`select from alerts w where exists (select from alert_crossings c
      where c.user_id = w.user_id and c.alert_id = w.id and ${isOld})
    order by user_id, id for no key update`.execute(transaction);
  await sql`update alerts w set told_at = greatest(w.told_at, told.at)
    from (select c.user_id, c.alert_id, max(c.created_at) as at from alert_crossings c
      where ${isOld} and not ${isLost(sql`c`)} group by c.user_id, c.alert_id) told
    where w.user_id = told.user_id and w.id = told.alert_id`.execute(transaction);
  await sql`delete from alert_crossings c where ${isOld}`.execute(transaction);
}

/** Whether the delivery of a crossing has ended, and nothing of it can have arrived. */
function isLost(crossing: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from deliveries d where d.user_id = ${crossing}.user_id
    and d.messenger_id = ${crossing}.messenger_id and d.id = ${crossing}.delivery_id
    and d.outcome in (${sql.join(notArrivedOutcomes)}))`;
}

/**
 * Not an alert that was changed since, which began anew, nor one that has found another crossing since. `isTold`
 * holds for those of its earlier crossings, as far as they are kept, that count as told.
 */
async function rearm(
  transaction: Transaction<Schema>,
  condition: RawBuilder<unknown>,
  isTold: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update alerts w set armed = w.armed or w.kind = 'below', crossed_at = coalesce((
      select max(told.created_at) from alert_crossings told
      where told.user_id = c.user_id and told.alert_id = c.alert_id and told.id < c.id
        and ${isTold}), w.told_at)
    from alert_crossings c
    where ${condition} and w.user_id = c.user_id and w.id = c.alert_id
      and w.updated_at <= c.created_at
      and not exists (select from alert_crossings later where later.user_id = c.user_id
        and later.alert_id = c.alert_id and later.id > c.id)`.execute(transaction);
}
