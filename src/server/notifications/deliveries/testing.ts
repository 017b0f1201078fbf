import { setTimeout as sleep } from 'node:timers/promises';
import type { Selectable, Transaction } from 'kysely';
import type { AccountChoice } from '../../../shared/contract/messengers.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatProvider } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { notificationErrors } from '../errors.ts';
import { deliveryJobs } from '../jobs.ts';
import { readsVariables, resolveChoice } from '../messages/checking.ts';
import { findMessenger } from '../messengers/queries.ts';
import { localDateAt, scheduleOf } from '../schedule/next-sending.ts';
import { packsOf } from './packs.ts';
import { reasonOf } from './reasons.ts';

type TestingDeps = Pick<
  NotificationsDeps,
  'database' | 'queue' | 'clock' | 'randomness' | 'metrics' | 'chats'
>;

export interface Draft {
  message?: string | undefined;
  slackChannel?: string | undefined;
  accounts?: AccountChoice | undefined;
}

/**
 * Sends what is on screen now, by the way of the daily message, and waits for its end. Resolves
 * once it is delivered. Throws `Delivery_Failed` with the reason, or `Delivery_Unanswered` when
 * nothing was answered within `patienceMs`; what had not been sent by then never is.
 */
export async function sendTest(
  deps: TestingDeps,
  ownerId: string,
  messengerId: string,
  draft: Draft,
  patienceMs: number,
): Promise<void> {
  const messenger = await findMessenger(deps, ownerId, messengerId);
  if (!messenger) throw new ApiError(httpErrors.Not_Found);
  const chat = deps.chats.get(messenger.chat);
  const deliveryId = await enqueueTest(deps, ownerId, messengerId, draft);
  deps.queue.announce(deliveryJobs);
  const deadline = monotonicMs() + patienceMs;
  for (;;) {
    const ended = await readEnd(deps, ownerId, deliveryId);
    if (ended) return conclude(chat, ended);
    if (monotonicMs() >= deadline) break;
    await sleep(lookEveryMs);
  }
  await cancel(deps, ownerId, deliveryId);
  const ended = await readEnd(deps, ownerId, deliveryId);
  if (ended) return conclude(chat, ended);
  throw new ApiError(notificationErrors.Delivery_Unanswered, {
    message: reasonOf(chat, 'test_answer_lost').sentence,
  });
}

const lookEveryMs = 30;

async function enqueueTest(
  deps: TestingDeps,
  ownerId: string,
  messengerId: string,
  draft: Draft,
): Promise<string> {
  const { database, queue, clock, randomness } = deps;
  const now = clock.now();
  const deliveryId = randomness.uuid();
  await database.sql.transaction().execute(async (transaction) => {
    const messenger = await readMessenger(transaction, ownerId, messengerId);
    const test = testOf(messenger, draft, now);
    await readsVariables(transaction, messenger, test.draft);
    const choice = draft.accounts && (await resolveChoice(transaction, ownerId, draft.accounts));
    const draft_accounts = choice ? JSON.stringify(choice.chosen) : null;
    await transaction
      .insertInto('deliveries')
      .values({
        ...{ user_id: ownerId, id: deliveryId, messenger_id: messengerId, draft_accounts },
        ...test,
      })
      .execute();
    const { chat, team_id: teamId } = messenger;
    const delivery = {
      ...{ userId: ownerId, deliveryId, chat, teamId },
      ...{ channelId: test.channel_id, dueAt: now.getTime() },
    };
    await queue.insert(transaction, deliveryJobs, packsOf([delivery], { priority: 10 }));
  });
  return deliveryId;
}

async function readMessenger(
  transaction: Transaction<Schema>,
  ownerId: string,
  messengerId: string,
) {
  const messenger = await transaction
    .selectFrom('messengers as m')
    .innerJoin('destinations as w', (join) =>
      join.onRef('w.user_id', '=', 'm.user_id').onRef('w.id', '=', 'm.destination_id'),
    )
    .selectAll('m')
    .select(['w.chat', 'w.team_id'])
    .where('m.user_id', '=', ownerId)
    .where('m.id', '=', messengerId)
    .executeTakeFirst();
  if (!messenger) throw new ApiError(httpErrors.Not_Found);
  return messenger;
}

function testOf(messenger: Selectable<Schema['messengers']>, draft: Draft, now: Date) {
  const channelId = draft.slackChannel ?? messenger.channel_id;
  const text = draft.message ?? messenger.message;
  if (!channelId || !text.trim()) throw incomplete(channelId, text);
  return {
    kind: 'test' as const,
    local_date: localDateAt(scheduleOf(messenger), now),
    due_at: now,
    channel_id: channelId,
    channel_name: channelId === messenger.channel_id ? messenger.channel_name : null,
    draft: text,
    created_at: now,
  };
}

function incomplete(channelId: string | null, text: string): ApiError {
  const details = [
    ...(channelId ? [] : [{ path: '/slackChannel', message: 'Sélectionnez un channel' }]),
    ...(text.trim() ? [] : [{ path: '/message', message: 'Écrivez un message' }]),
  ];
  return new ApiError(notificationErrors.Invalid_Messenger, { details });
}

interface End {
  outcome: string;
  reason: string | null;
}

async function readEnd(
  { database }: Pick<Platform, 'database'>,
  ownerId: string,
  deliveryId: string,
): Promise<End | null> {
  const row = await database.sql
    .selectFrom('deliveries')
    .select(['outcome', 'reason'])
    .where('user_id', '=', ownerId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (!row) throw new ApiError(httpErrors.Not_Found);
  return row.outcome === 'pending' ? null : row;
}

/** Only what no worker has begun: a test in flight is recorded by its own answer. */
async function cancel(
  { database, clock, metrics }: Pick<Platform, 'database' | 'clock' | 'metrics'>,
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

function conclude(chat: ChatProvider | undefined, { outcome, reason }: End): void {
  if (outcome === 'delivered') return;
  const { sentence: message } = reasonOf(chat, reason ?? 'unknown');
  throw new ApiError(
    outcome === 'failed'
      ? notificationErrors.Delivery_Failed
      : notificationErrors.Delivery_Unanswered,
    { message },
  );
}
