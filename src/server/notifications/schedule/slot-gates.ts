import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Each slot has a gate: an advisory lock that is held until the end of the transaction. PostgreSQL gives
 * it in the order in which it was asked for, but lets a new transaction share a row before one that waits
 * to have the row alone: some requests of one person, at the same time and again and again, would keep
 * their slot from every claim. Gates come before the rows of slots.
 */

/** Those of a user's notifications, together with other transactions that share them. */
export async function shareGates(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${gateClass}, gate) from (
    select distinct hashtext(slot_id::text) as gate from messengers where user_id = ${userId}
    order by gate) gates`.execute(transaction);
}

/** Those of a user's notifications, or of one of them, alone. */
export async function takeGates(
  transaction: Transaction<Schema>,
  userId: string,
  messengerId: string | null,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${gateClass}, gate) from (
    select distinct hashtext(slot_id::text) as gate from messengers
    where user_id = ${userId} and (${messengerId}::uuid is null or id = ${messengerId}::uuid)
    order by gate) gates`.execute(transaction);
}

/** That of one slot, alone. */
export async function takeGate(transaction: Transaction<Schema>, slotId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${gateClass}, hashtext(${slotId}::text))`.execute(
    transaction,
  );
}

/** The first of the two numbers of the lock: any that no other advisory lock has. */
const gateClass = sql.lit(721_340_121);
