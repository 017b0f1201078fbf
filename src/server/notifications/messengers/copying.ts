import type { Transaction } from 'kysely';
import type { Actor } from '../../identity/sessions/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { NotificationsDeps } from '../deps.ts';
import { resolveDestination } from '../destinations/connecting.ts';
import { whileSlotsAreShared } from '../schedule/slot-locks.ts';
import { checkMessengerLimit, requireConnected } from './adding.ts';
import { lockMessenger, type Messenger, type MessengerRow, requireMessenger } from './queries.ts';

/**
 * A notification of its own in the destination that a handle names, with the text, the hour, the days
 * and the accounts of another. It tells no bank transactions: who reads there is for its owner to weigh.
 * It begins to send where the destination is one channel; elsewhere its owner chooses one first. Neither a pause
 * is copied nor what an address is asked. Throws `Not_Found`, `Too_Many_Messengers`, and what the handle's chat throws.
 */
export async function copyMessenger(
  deps: NotificationsDeps,
  actor: Actor,
  id: string,
  handle: string,
): Promise<MessengerRow> {
  const { userId } = actor;
  await requireMessenger(deps, userId, id);
  const { destination } = await resolveDestination(deps, actor, handle);
  const copyId = await whileSlotsAreShared(
    deps.database,
    actor,
    async (transaction, requireHeld) => {
      await checkMessengerLimit(transaction, userId);
      await requireConnected(deps, transaction, destination);
      const source = await lockMessenger(transaction, userId, id);
      if (!source) throw new ApiError(httpErrors.Not_Found);
      requireHeld(source.slot_id);
      const now = deps.clock.now();
      // One destination may lead to several channels: the topics of a group.
      const isSamePlace =
        destination.id === source.destination_id && destination.channel_id !== null;
      const { channel_id, channel_name } = isSamePlace ? source : destination;
      const destination_id = destination.id;
      const copy = {
        ...{ ...source, id: deps.randomness.uuid(), destination_id, channel_id, channel_name },
        ...{ paused_at: null, paused_reason: null, paused_until: null, stopped: false },
        ...{ operations: 'off' as const, asked_mailbox_id: null },
        ...{ planned_on: null, active_since: now, created_at: now, updated_at: now },
      };
      await insertCopy(transaction, source, copy);
      return copy.id;
    },
  );
  return await requireMessenger(deps, userId, copyId);
}

/** With the accounts that were chosen for the other. */
async function insertCopy(
  transaction: Transaction<Schema>,
  { user_id, id }: Messenger,
  copy: Messenger,
): Promise<void> {
  await transaction.insertInto('messengers').values(copy).execute();
  await transaction
    .insertInto('messenger_accounts')
    .columns(['user_id', 'messenger_id', 'account_id', 'included'])
    .expression((is) =>
      is
        .selectFrom('messenger_accounts')
        .select(['user_id', is.val(copy.id).as('messenger_id'), 'account_id', 'included'])
        .where('user_id', '=', user_id)
        .where('messenger_id', '=', id),
    )
    .execute();
}
