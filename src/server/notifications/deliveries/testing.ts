import { setTimeout as sleep } from 'node:timers/promises';
import type { TestMessage } from '../../../shared/contract/messengers.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { ChatChannel, ChatProvider } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { chooseChannel } from '../destinations/channels.ts';
import { notificationErrors } from '../errors.ts';
import { deliveryJobs } from '../jobs.ts';
import { readsVariables, resolveChoice } from '../messages/checking.ts';
import { findMessenger, type MessengerRow } from '../messengers/queries.ts';
import { localDateAt, scheduleOf } from '../schedule/next-sending.ts';
import { packsOf } from './packs.ts';
import type { DeliveryRow } from './queries.ts';
import { reasonOf } from './reasons.ts';

type TestingDeps = NotificationsDeps;

/**
 * Sends what is on screen now in the same way as a daily message, and waits for its end. Resolves
 * once it is delivered. An unsaved channel is checked as when it is saved, by `chooseChannel`, which
 * throws; then nothing is sent. Throws `Delivery_Failed` with the reason, or `Delivery_Unanswered` when
 * nothing was answered within `patienceMs`; what had not been sent by then never is.
 */
export async function sendTest(
  deps: TestingDeps,
  ownerId: string,
  messengerId: string,
  draft: TestMessage,
  patienceMs: number,
): Promise<void> {
  const messenger = await findMessenger(deps, ownerId, messengerId);
  if (!messenger) throw new ApiError(httpErrors.Not_Found);
  const chosen = await chooseChannel(deps, ownerId, messengerId, draft.slackChannel);
  const deliveryId = await enqueueTest(deps, messenger, draft, chosen);
  deps.queue.announce(deliveryJobs);
  const deadline = monotonicMs() + patienceMs;
  for (;;) {
    const isOver = monotonicMs() >= deadline;
    if (isOver) await cancel(deps, ownerId, deliveryId);
    const delivery = await readOutcome(deps, ownerId, deliveryId);
    if (isOver || delivery.outcome !== 'pending') {
      return conclude(deps.chats.get(messenger.chat), delivery);
    }
    await sleep(lookEveryMs);
  }
}

const lookEveryMs = 30;

/** Returns the id of the new delivery. Throws `Invalid_Messenger` for what cannot be sent. */
async function enqueueTest(
  { database, queue, clock, randomness }: TestingDeps,
  messenger: MessengerRow,
  draft: TestMessage,
  chosen: ChatChannel | null,
): Promise<string> {
  const { user_id: userId, chat, team_id: teamId } = messenger;
  const channelId = chosen?.id ?? messenger.channel_id;
  const text = draft.message ?? messenger.message;
  if (!channelId || !text.trim()) throw incomplete(channelId, text);
  const now = clock.now();
  const deliveryId = randomness.uuid();
  await database.sql.transaction().execute(async (transaction) => {
    await readsVariables(transaction, messenger, text);
    const choice = draft.accounts && (await resolveChoice(transaction, userId, draft.accounts));
    await transaction
      .insertInto('deliveries')
      .values({
        user_id: userId,
        id: deliveryId,
        messenger_id: messenger.id,
        kind: 'test',
        local_date: localDateAt(scheduleOf(messenger), now),
        due_at: now,
        channel_id: channelId,
        channel_name: chosen?.name ?? messenger.channel_name,
        draft: text,
        draft_accounts: choice ? JSON.stringify(choice.chosen) : null,
        created_at: now,
      })
      .execute();
    const delivery = { userId, deliveryId, chat, teamId, channelId, dueAt: now.getTime() };
    await queue.insert(transaction, deliveryJobs, packsOf([delivery], { priority: 10 }));
  });
  return deliveryId;
}

function incomplete(channelId: string | null, text: string): ApiError {
  const details = [
    ...(channelId ? [] : [{ path: '/slackChannel', message: 'Sélectionnez un channel' }]),
    ...(text.trim() ? [] : [{ path: '/message', message: 'Écrivez un message' }]),
  ];
  return new ApiError(notificationErrors.Invalid_Messenger, { details });
}

/** Cancels a test that no worker has begun; one that is being sent ends with its own answer. */
async function cancel(
  { database, clock, metrics }: TestingDeps,
  ownerId: string,
  deliveryId: string,
): Promise<void> {
  const { numUpdatedRows } = await database.sql
    .updateTable('deliveries')
    .set({ outcome: 'cancelled', reason: 'test_cancelled', finished_at: clock.now() })
    .set({ draft: null, draft_accounts: null })
    .where('user_id', '=', ownerId)
    .where('id', '=', deliveryId)
    .where('outcome', '=', 'pending')
    .where('sending_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) {
    metrics.deliveryEnded({ kind: 'test', outcome: 'cancelled', lagSeconds: null });
  }
}

async function readOutcome(
  { database }: TestingDeps,
  ownerId: string,
  deliveryId: string,
): Promise<Pick<DeliveryRow, 'outcome' | 'reason'>> {
  const row = await database.sql
    .selectFrom('deliveries')
    .select(['outcome', 'reason'])
    .where('user_id', '=', ownerId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return row;
}

/** A test that is still pending when its user has waited long enough may have arrived. */
function conclude(
  chat: ChatProvider | undefined,
  { outcome, reason }: Pick<DeliveryRow, 'outcome' | 'reason'>,
): void {
  if (outcome === 'delivered') return;
  const { Delivery_Failed, Delivery_Unanswered } = notificationErrors;
  const code = outcome === 'pending' ? 'test_answer_lost' : (reason ?? 'unknown');
  throw new ApiError(outcome === 'failed' ? Delivery_Failed : Delivery_Unanswered, {
    message: reasonOf(chat, code).sentence,
  });
}
