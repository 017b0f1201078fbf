import { sql, type Transaction } from 'kysely';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { shareGates, takeGate, takeGates } from './slot-gates.ts';
import type { Slot } from './slots.ts';

/** Who holds slots: claims and deletions alone, changes of notifications together. */

/**
 * Locks a slot until the end of the transaction. Null when another transaction has it, or when it was
 * moved on since it was read. What is read afterwards is as the holders before have left it.
 */
export async function lockSlot(
  transaction: Transaction<Schema>,
  { id, next_at }: Slot,
): Promise<LockedSlot | null> {
  const { rows } = await sql<LockedSlot>`select after_user is not null as "isBegun" from slots
    where id = ${id} and next_at = ${next_at} for no key update skip locked`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Locks a slot that changes of notifications have, after those and before the ones that come later. Null
 * when it was moved on meanwhile. Throws 55P03, lock_not_available, where the gate or the row takes longer
 * than 900 ms: sooner than the second after which PostgreSQL would undo one of two transactions that wait for each
 * other.
 */
export async function lockSharedSlot(
  transaction: Transaction<Schema>,
  { id, next_at }: Slot,
): Promise<LockedSlot | null> {
  await sql`set local lock_timeout = '900ms'`.execute(transaction);
  await takeGate(transaction, id);
  const { rows } = await sql<LockedSlot>`select after_user is not null as "isBegun" from slots
    where id = ${id} and next_at = ${next_at} for no key update`.execute(transaction);
  await sql`set local lock_timeout to default`.execute(transaction);
  return rows[0] ?? null;
}

/** Whether it is changes of notifications that have a slot which `lockSlot` did not lock, and no claim. */
export async function isSharedSlot(
  { sql: database }: OpenDatabase,
  { id, next_at }: Slot,
): Promise<boolean> {
  const { rows } = await sql`select from slots
    where id = ${id} and next_at = ${next_at} for share skip locked`.execute(database);
  return rows.length > 0;
}

export interface LockedSlot {
  /** Some of its notifications have a row of its next sending. */
  isBegun: boolean;
}

/**
 * Adds, changes or resumes notifications for an actor, under the locks of `lockSlotsForShare` and of
 * `lockActor`, which throws. See `withHeldSlots`.
 */
export function whileSlotsAreShared<Result>(
  database: OpenDatabase,
  actor: Actor,
  work: SlotWork<Result>,
): Promise<Result> {
  const lock = async (transaction: Transaction<Schema>) => {
    const held = await lockSlotsForShare(transaction, actor.userId);
    await lockActor(transaction, actor);
    return held;
  };
  return withHeldSlots(database, lock, work);
}

/**
 * Deletes notifications, one or all of a user's, while no claim that sees them is under way. See
 * `withHeldSlots`.
 */
export function whileSlotsAreLocked<Result>(
  database: OpenDatabase,
  { userId, messengerId }: { userId: string; messengerId: string | null },
  work: SlotWork<Result>,
): Promise<Result> {
  const lock = async (transaction: Transaction<Schema>) => {
    await takeGates(transaction, userId, messengerId);
    const { rows } = await sql<{ id: string }>`
      select id from slots where id in (select slot_id from messengers where user_id = ${userId}
        and (${messengerId}::uuid is null or id = ${messengerId}::uuid))
      order by id for no key update`.execute(transaction);
    return new Set(rows.map(({ id }) => id));
  };
  return withHeldSlots(database, lock, work);
}

type SlotWork<Result> = (
  transaction: Transaction<Schema>,
  requireHeld: RequireHeld,
) => Promise<Result>;

/** Undoes the transaction where it does not hold this slot. */
export type RequireHeld = (slotId: string) => void;

/**
 * Runs `work` in a transaction that holds slots from its beginning: they are the first in the order of
 * locks. `requireHeld` is to be called with the slot of each notification that `work` deletes or changes,
 * once its row is locked: where another change has given it another slot before its own was free, the
 * transaction is undone and begins again.
 */
async function withHeldSlots<Result>(
  { sql: database }: OpenDatabase,
  lock: (transaction: Transaction<Schema>) => Promise<HeldSlots>,
  work: SlotWork<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await inTransaction(database, async (transaction) => {
        const held = await lock(transaction);
        return await work(transaction, (slotId) => {
          if (!held.has(slotId)) throw new SlotNotHeld();
        });
      });
    } catch (error) {
      if (!(error instanceof SlotNotHeld)) throw error;
    }
  }
}

type HeldSlots = ReadonlySet<string>;

class SlotNotHeld extends Error {
  override name = 'SlotNotHeld';
}

/**
 * To be called before notifications are added, changed or resumed, in their transaction: claims leave
 * their slots alone meanwhile, and then see them as they are afterwards.
 */
export async function lockSlotsForShare(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<HeldSlots> {
  await shareGates(transaction, userId);
  const { rows } = await sql<{ id: string }>`
    select s.id from slots s join messengers m on m.slot_id = s.id and m.user_id = ${userId}
    order by s.id for share of s`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}
