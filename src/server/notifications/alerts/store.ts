import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { AlertState, Crossing } from './crossings.ts';

/**
 * Locks, in the order of ARCHITECTURE.md, "How a message leaves", what an evaluation of a user's alerts
 * will reference: their accounts, which must not be erased meanwhile, and their notifications with
 * alerts, with the one that is about to get one. Returns the ids of these notifications.
 */
export async function lockForEvaluation(
  transaction: Transaction<Schema>,
  userId: string,
  alertedId: string | null = null,
): Promise<ReadonlySet<string>> {
  await sql`select from bank_accounts where user_id = ${userId} order by id for key share`.execute(
    transaction,
  );
  const { rows } = await sql<{ id: string }>`
    select id from messengers m where user_id = ${userId} and (id = ${alertedId}::uuid
      or exists (select from alerts w where w.user_id = m.user_id and w.messenger_id = m.id))
    order by id for update`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

/** Writes what alerts know after an evaluation. */
export async function writeStates(
  transaction: Transaction<Schema>,
  userId: string,
  states: { id: string; state: AlertState; hasCrossed: boolean }[],
  now: Date,
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ id, state: { armed, lastMinor }, hasCrossed }) => ({
    id,
    armed,
    last_minor: lastMinor,
    crossed_at: hasCrossed ? now : null,
  }));
  await sql`
    update alerts w set armed = given.armed, last_minor = given.last_minor,
      crossed_at = coalesce(given.crossed_at, w.crossed_at)
    from ${records(rows, 'id uuid, armed boolean, last_minor bigint, crossed_at timestamptz')}
    where w.user_id = ${userId} and w.id = given.id`.execute(transaction);
  const figures = states.flatMap(({ id, state }) =>
    [...state.figures].map(([account_id, { minor, asOf }]) => ({
      alert_id: id,
      account_id,
      balance_minor: minor,
      as_of: dateOf(asOf),
    })),
  );
  await sql`
    insert into alert_figures as f (user_id, alert_id, account_id, balance_minor, as_of)
    select ${userId}::uuid, given.alert_id, given.account_id, given.balance_minor, given.as_of
    from ${records(figures, 'alert_id uuid, account_id bigint, balance_minor bigint, as_of timestamptz')}
    join bank_accounts a on a.user_id = ${userId} and a.id = given.account_id
    on conflict (user_id, alert_id, account_id) do update
      set balance_minor = excluded.balance_minor, as_of = excluded.as_of
      where (f.balance_minor, f.as_of) is distinct from (excluded.balance_minor, excluded.as_of)`.execute(
    transaction,
  );
}

/** A crossing as it is written, with the alert that found it. */
export interface FoundCrossing extends Crossing {
  alertId: string;
  amountMinor: number;
  currency: string;
}

/** Which notification tells crossings, and when. */
interface AlertOccasion {
  userId: string;
  messengerId: string;
  /** YYYY-MM-DD on the notification's own calendar. */
  day: string;
  now: Date;
}

export async function insertCrossings(
  transaction: Transaction<Schema>,
  { userId, messengerId, day, now }: AlertOccasion,
  crossings: { found: FoundCrossing; releaseAt: Date | null; deliveryId: string | null }[],
): Promise<void> {
  await transaction
    .insertInto('alert_crossings')
    .values(
      crossings.map(({ found, releaseAt, deliveryId }) => ({
        ...{ user_id: userId, alert_id: found.alertId, messenger_id: messengerId },
        ...{ account_id: found.accountId, amount_minor: found.amountMinor },
        ...{ balance_minor: found.balanceMinor, change_minor: found.changeMinor },
        ...{ currency: found.currency, accounts: found.accounts, as_of: dateOf(found.asOf) },
        ...{ local_date: day, release_at: releaseAt, delivery_id: deliveryId },
        created_at: now,
      })),
    )
    .execute();
}

/**
 * Writes the row of a delivery that tells crossings, to be sent at once. Its notification is locked, so
 * that two do not take one number. Does nothing for a notification that is gone.
 */
export async function insertAlertDelivery(
  transaction: Transaction<Schema>,
  { userId, messengerId, day, now, deliveryId }: AlertOccasion & { deliveryId: string },
): Promise<void> {
  await sql`
    insert into deliveries (user_id, messenger_id, local_date, sequence, id, kind, due_at,
      channel_id, channel_name, created_at)
    select m.user_id, m.id, ${day}::date, (select coalesce(max(d.sequence), 0) + 1 from deliveries d
        where d.user_id = m.user_id and d.messenger_id = m.id and d.local_date = ${day}::date),
      ${deliveryId}::uuid, 'alert', ${now}, m.channel_id, m.channel_name, ${now}
    from messengers m where m.user_id = ${userId} and m.id = ${messengerId}`.execute(transaction);
}

/** Holds crossings until a later summary, or notes which delivery tells them. */
export async function changeCrossings(
  transaction: Transaction<Schema>,
  userId: string,
  crossingIds: number[],
  change: { release_at: Date } | { delivery_id: string },
): Promise<void> {
  await transaction
    .updateTable('alert_crossings')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', 'in', crossingIds)
    .execute();
}

/** Of an account that was deleted nothing is told any more. */
export async function discardAllUndelivered(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('alert_readings').where('user_id', '=', userId).execute();
  await transaction
    .deleteFrom('alert_crossings')
    .where('user_id', '=', userId)
    .where('delivery_id', 'is', null)
    .execute();
}

function dateOf(asOf: number | null): Date | null {
  return asOf === null ? null : new Date(asOf);
}
