import type { Transaction } from 'kysely';
import { queueMail } from '../../identity/mails/outbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../deliveries/attempt.ts';
import { pauseMail } from '../deliveries/pause-mail.ts';
import { nextAtOf } from '../schedule/next-sending.ts';

/**
 * Pauses what the chat refuses until its owner acts: one messenger, or a workspace with all of its
 * messengers. Queues a mail to the owner, at most one per cause and day. Does nothing if the channel
 * or the token was changed after the refusal.
 */
export async function pauseAfterRefusal(
  deps: Pick<Platform, 'queue' | 'randomness' | 'vault' | 'configuration'>,
  transaction: Transaction<Schema>,
  refusal: Refusal,
  now: Date,
): Promise<void> {
  const paused =
    refusal.cause === 'installation'
      ? await pauseWorkspace(transaction, refusal, now)
      : await pauseMessenger(transaction, refusal, now);
  if (!paused) return;
  const { team_name: teamName } = await transaction
    .selectFrom('workspaces')
    .select('team_name')
    .where('user_id', '=', refusal.userId)
    .where('id', '=', refusal.workspaceId)
    .executeTakeFirstOrThrow();
  await queueMail(deps, transaction, {
    userId: refusal.userId,
    cause: refusal.code,
    now,
    ...pauseMail({ teamName, code: refusal.code, publicUrl: deps.configuration.publicUrl }),
  });
}

async function pauseWorkspace(
  transaction: Transaction<Schema>,
  { userId, workspaceId, sealedToken, code }: Refusal,
  now: Date,
): Promise<boolean> {
  const disconnected = await transaction
    .updateTable('workspaces')
    .set({ state: 'disconnected', updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', workspaceId)
    .where('state', '=', 'connected')
    .where('sealed_token', '=', sealedToken)
    .executeTakeFirst();
  if (disconnected.numUpdatedRows === 0n) return false;
  await transaction
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: code, next_at: null })
    .where('user_id', '=', userId)
    .where('workspace_id', '=', workspaceId)
    .where('paused_at', 'is', null)
    .execute();
  return true;
}

async function pauseMessenger(
  transaction: Transaction<Schema>,
  { userId, messengerId, workspaceId, channelId, sealedToken, code }: Refusal,
  now: Date,
): Promise<boolean> {
  const paused = await transaction
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: code, next_at: null })
    .where('user_id', '=', userId)
    .where('id', '=', messengerId)
    .where('channel_id', '=', channelId)
    .where('paused_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('workspaces')
          .select('id')
          .where('user_id', '=', userId)
          .where('id', '=', workspaceId)
          .where('sealed_token', '=', sealedToken),
      ),
    )
    .executeTakeFirst();
  return paused.numUpdatedRows > 0n;
}

/** Ends the pauses of a workspace's messengers and plans them: called once it is connected again. */
export async function resumeWorkspace(
  transaction: Transaction<Schema>,
  clock: Clock,
  ownerId: string,
  workspaceId: string,
): Promise<void> {
  const now = clock.now();
  const paused = await transaction
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('workspace_id', '=', workspaceId)
    .where('paused_at', 'is not', null)
    .forUpdate()
    .execute();
  for (const messenger of paused) {
    await transaction
      .updateTable('messengers')
      .set({
        paused_at: null,
        paused_reason: null,
        next_at: nextAtOf({ ...messenger, paused_at: null }, now),
      })
      .where('user_id', '=', ownerId)
      .where('id', '=', messenger.id)
      .execute();
  }
}
