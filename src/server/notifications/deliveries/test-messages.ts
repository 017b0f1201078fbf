import { type Selectable, sql } from 'kysely';
import { localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { TestMessage } from '../../../shared/contract/messengers.ts';
import { tellsTransactions } from '../../../shared/message/variables.ts';
import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { DraftSettings } from '../../platform/database/schema/notifications.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { ChatChannel, ChatProvider } from '../../providers/chats/port.ts';
import type { DeliveryRow } from '../delivery-presentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { chooseChannel } from '../destinations/channels.ts';
import { notificationErrors } from '../errors.ts';
import { checkText, resolveChoice } from '../messages/checking.ts';
import { lockMessenger, type MessengerRow, requireMessenger } from '../messengers/queries.ts';
import { ownCodes, reasonOf } from '../reasons.ts';
import { scheduleOf } from '../schedule/next-sending.ts';
import { readForPreview } from '../transactions/reading.ts';
import { draftedBankTransactions, sealBankTransactions } from '../transactions/sealing.ts';

/**
 * Sends what is on screen now in the same way as a daily message, and waits for its end. Resolves
 * once it is delivered. An unsaved channel is checked as when it is saved, by `chooseChannel`, which
 * throws; then nothing is sent. Throws `Delivery_Failed` with the reason, or `Delivery_Unanswered` when
 * nothing was answered within `patienceMs`; what had not been sent by then never is.
 */
export async function sendTest(
  deps: NotificationsDeps,
  actor: Actor,
  messengerId: string,
  draft: TestMessage,
  patienceMs: number,
): Promise<void> {
  const { userId } = actor;
  const messenger = await requireMessenger(deps, userId, messengerId);
  const chosen = await chooseChannel(deps, userId, messengerId, draft.slackChannel);
  const settings = await settingsOf(deps, messenger, draft);
  const test = await insertTest(deps, actor, messenger, draft, { chosen, settings });
  deps.signals.waiting();
  const deadline = monotonicMs() + patienceMs;
  for (;;) {
    const isOver = monotonicMs() >= deadline;
    if (isOver) await cancel(deps, test);
    const delivery = await readOutcome(deps, test);
    if (isOver || delivery.outcome !== 'pending') {
      return conclude(deps.chats.get(messenger.chat), delivery);
    }
    await deps.signals.untilEnded(test.id, checkEveryMs);
  }
}

/** For the outcome that another process wrote. */
const checkEveryMs = 250;

/** The key of the row and its public id. */
type Test = Pick<
  Selectable<Schema['deliveries']>,
  'user_id' | 'messenger_id' | 'local_date' | 'sequence' | 'id'
>;

/** Throws `Invalid_Messenger` for what cannot be sent. */
async function insertTest(
  { database, clock, randomness }: NotificationsDeps,
  actor: Actor,
  messenger: MessengerRow,
  draft: TestMessage,
  { chosen, settings }: { chosen: ChatChannel | null; settings: DraftSettings },
): Promise<Test> {
  const { user_id, id: messenger_id } = messenger;
  const channelId = chosen?.id ?? messenger.channel_id;
  const text = draft.message ?? messenger.message;
  if (!channelId || !text.trim()) throw incomplete(channelId, text);
  const now = clock.now();
  const local_date = localDateAt(now, scheduleOf(messenger));
  return await inTransaction(database.sql, async (transaction) => {
    await lockActor(transaction, actor);
    // Two tests at once wait for each other, and have two numbers.
    if (!(await lockMessenger(transaction, user_id, messenger_id))) {
      throw new ApiError(httpErrors.Not_Found);
    }
    const variables = await checkText(transaction, messenger, text);
    const choice = draft.accounts && (await resolveChoice(transaction, user_id, draft.accounts));
    const key = { user_id, messenger_id, local_date };
    return await transaction
      .insertInto('deliveries')
      .values({
        ...key,
        sequence: sql<number>`(select coalesce(max(sequence), 0) + 1 from deliveries where
          (user_id, messenger_id, local_date) = (${user_id}, ${messenger_id}, ${local_date}))`,
        id: randomness.uuid(),
        kind: 'test',
        due_at: now,
        channel_id: channelId,
        channel_name: chosen?.name ?? messenger.channel_name,
        draft: text,
        draft_accounts: choice ? JSON.stringify(choice.chosen) : null,
        draft_settings: JSON.stringify({ ...settings, variables }),
        created_at: now,
      })
      .returning(['user_id', 'messenger_id', 'local_date', 'sequence', 'id'])
      .executeTakeFirstOrThrow();
  });
}

/**
 * What the draft says beside its text. Its bank transactions are read now, before there is a row that
 * workers take, and stand there sealed until the test has ended.
 */
async function settingsOf(
  deps: NotificationsDeps,
  messenger: MessengerRow,
  { message, accounts, attention, operations, chart }: TestMessage,
): Promise<DraftSettings> {
  const isTold = (operations ?? messenger.operations) !== 'off';
  const speaks = isTold && tellsTransactions(message ?? messenger.message);
  return {
    ...(attention && { attention }),
    ...(operations && { operations }),
    ...(chart !== undefined && { chart }),
    ...(speaks && { sealed: await readSealed(deps, messenger, accounts) }),
  };
}

async function readSealed(
  deps: NotificationsDeps,
  messenger: MessengerRow,
  accounts: TestMessage['accounts'],
): Promise<string> {
  const { user_id, id } = messenger;
  const choice = accounts && (await resolveChoice(deps.database.sql, user_id, accounts));
  const read = await readForPreview(deps, messenger, choice?.chosen ?? null);
  return sealBankTransactions(deps, read, draftedBankTransactions(user_id, id));
}

function incomplete(channelId: string | null, text: string): ApiError {
  const details = [
    ...(channelId ? [] : [{ path: '/slackChannel', message: 'Sélectionnez un channel' }]),
    ...(text.trim() ? [] : [{ path: '/message', message: 'Écrivez un message' }]),
  ];
  return new ApiError(notificationErrors.Invalid_Messenger, { details });
}

/** Cancels a test that no worker has begun; one that is being sent ends with its own answer. */
async function cancel({ database, clock, metrics }: NotificationsDeps, test: Test): Promise<void> {
  const { numUpdatedRows } = await database.sql
    .updateTable('deliveries')
    .set({ outcome: 'cancelled', reason: ownCodes.testCancelled, finished_at: clock.now() })
    .set({ draft: null, draft_accounts: null, draft_settings: null })
    .where(({ and }) => and(test))
    .where('outcome', '=', 'pending')
    .where('sending_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) {
    metrics.deliveryEnded({ kind: 'test', outcome: 'cancelled', lagSeconds: null });
  }
}

async function readOutcome(
  { database }: NotificationsDeps,
  test: Test,
): Promise<Pick<DeliveryRow, 'outcome' | 'reason'>> {
  const row = await database.sql
    .selectFrom('deliveries')
    .select(['outcome', 'reason'])
    .where(({ and }) => and(test))
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
  const code = outcome === 'pending' ? ownCodes.testAnswerLost : (reason ?? 'unknown');
  throw new ApiError(outcome === 'failed' ? Delivery_Failed : Delivery_Unanswered, {
    message: reasonOf(chat, code, 'test').sentence,
  });
}
