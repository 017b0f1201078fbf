import type { Transaction } from 'kysely';
import type { Actor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { ConnectedDestination } from '../destinations/connecting.ts';
import { type DestinationRow, destinationsOf } from '../destinations/queries.ts';
import { notificationErrors } from '../errors.ts';
import { everyDay } from '../schedule/next-sending.ts';
import { whileSlotsAreShared } from '../schedule/slot-locks.ts';
import { slotFor } from '../schedule/slots.ts';
import { type MessengerRow, maxMessengers, requireMessenger } from './queries.ts';

/**
 * Adds a messenger in a destination. Where the link is new, only if the destination has none: a repeated
 * request, or a renewed authorisation, adds nothing. Where people link a place by a form, one without a
 * text is not doubled either: the answer about it may have been lost. Throws `Too_Many_Messengers`, and the
 * chat's `notConnected`.
 */
export async function createMessenger(
  deps: NotificationsDeps,
  actor: Actor,
  { destination, isNewLink }: ConnectedDestination,
  { isByForm = false } = {},
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { userId } = actor;
  // One at a time, so that requests at once add one first messenger, and none beyond the limit.
  const { id, isNew } = await whileSlotsAreShared(deps.database, actor, async (transaction) => {
    const known =
      isNewLink || isByForm
        ? await findFirst(transaction, destination, { isDraft: !isNewLink })
        : null;
    if (known) return { id: known, isNew: false };
    await checkMessengerLimit(transaction, userId);
    await requireConnected(deps, transaction, destination);
    return { id: await insert(deps, transaction, destination), isNew: true };
  });
  return { row: await requireMessenger(deps, userId, id), isNew };
}

/**
 * The oldest messenger of a destination, in its only channel if it has one; of those without a text where
 * `isDraft`.
 */
async function findFirst(
  transaction: Transaction<Schema>,
  { user_id, id, channel_id }: DestinationRow,
  { isDraft }: { isDraft: boolean },
): Promise<string | null> {
  const first = await transaction
    .selectFrom('messengers')
    .select('id')
    .where('user_id', '=', user_id)
    .where('destination_id', '=', id)
    .$if(channel_id !== null, (query) => query.where('channel_id', '=', channel_id))
    .$if(isDraft, (query) => query.where('message', '=', ''))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return first?.id ?? null;
}

/** Throws `Too_Many_Messengers`. To be asked under the lock of the user. */
export async function checkMessengerLimit(
  transaction: Transaction<Schema>,
  userId: string,
): Promise<void> {
  const { count } = await transaction
    .selectFrom('messengers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxMessengers) throw new ApiError(notificationErrors.Too_Many_Messengers);
}

/**
 * Throws the chat's `notConnected` for a destination that was given up or ended since it was looked up. To
 * be asked under the lock of the user, as it is given up.
 */
export async function requireConnected(
  deps: Pick<NotificationsDeps, 'chats'>,
  transaction: Transaction<Schema>,
  { user_id, id, chat }: DestinationRow,
): Promise<void> {
  const current = await destinationsOf(transaction, user_id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (current?.state !== 'connected') throw new ApiError(chatOf(deps, chat).errors.notConnected);
}

/**
 * Without text, at 09:00 in Paris, with the only channel of its destination where there is one. Returns
 * its id.
 */
async function insert(
  { clock, randomness }: Pick<NotificationsDeps, 'clock' | 'randomness'>,
  transaction: Transaction<Schema>,
  { user_id, id: destination_id, channel_id, channel_name }: DestinationRow,
): Promise<string> {
  const id = randomness.uuid();
  const hour = { hours: 9, minutes: 0, zone: 'Europe/Paris', offset_minutes: null };
  const days = { days: everyDay, holidays: null };
  const slot = await slotFor(transaction, { user_id, ...hour, ...days }, clock.now());
  const now = clock.now();
  await transaction
    .insertInto('messengers')
    .values({
      ...{ user_id, id, destination_id, channel_id, channel_name, message: '', ...hour, ...days },
      ...{ slot_id: slot.id, active_since: now, created_at: now, updated_at: now },
    })
    .execute();
  return id;
}
