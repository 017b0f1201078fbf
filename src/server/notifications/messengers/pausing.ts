import type { Transaction } from 'kysely';
import { queueMail } from '../../identity/mails/outbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { Refusal } from '../deliveries/attempt.ts';
import { reasonOf } from '../deliveries/reasons.ts';
import type { NotificationsDeps } from '../deps.ts';
import { nextAtOf } from '../schedule/next-sending.ts';

/**
 * Pauses what the chat refuses until its owner acts: one messenger, or a destination with all of its
 * messengers. Queues a mail to the owner, at most one per cause and day. Does nothing if the channel
 * or the token was changed after the refusal.
 */
export async function pauseAfterRefusal(
  deps: Pick<NotificationsDeps, 'queue' | 'randomness' | 'vault' | 'configuration' | 'chats'>,
  transaction: Transaction<Schema>,
  refusal: Refusal,
  now: Date,
): Promise<void> {
  const paused =
    refusal.cause === 'installation'
      ? await pauseDestination(transaction, refusal, now)
      : await pauseMessenger(transaction, refusal, now);
  if (!paused) return;
  const destination = await transaction
    .selectFrom('destinations')
    .select(['chat', 'team_name'])
    .where('user_id', '=', refusal.userId)
    .where('id', '=', refusal.destinationId)
    .executeTakeFirstOrThrow();
  await queueMail(deps, transaction, {
    userId: refusal.userId,
    cause: refusal.code,
    now,
    ...pauseMail(deps, destination, refusal.code),
  });
}

/** The words (French, plain text) to the owner of a notification that was just paused. */
function pauseMail(
  { chats, configuration }: Pick<NotificationsDeps, 'chats' | 'configuration'>,
  { chat: kind, team_name: teamName }: { chat: ChatKind; team_name: string },
  code: string,
): { subject: string; body: string } {
  const chat = chats.get(kind);
  return {
    subject: `Votre notification dans ${teamName} est en pause`,
    body: [
      'Bonjour,',
      `Votre notification dans ${chat?.words.place(teamName) ?? teamName} n'a pas pu être envoyée.`,
      reasonOf(chat, code).sentence,
      `Elle reste en pause jusque-là. Pour la reprendre\u202f: ${configuration.publicUrl}/`,
      'Tirelire',
    ].join('\n\n'),
  };
}

async function pauseDestination(
  transaction: Transaction<Schema>,
  { userId, destinationId, sealedSecret, code }: Refusal,
  now: Date,
): Promise<boolean> {
  const disconnected = await transaction
    .updateTable('destinations')
    .set({ state: 'disconnected', updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', destinationId)
    .where('state', '=', 'connected')
    .where('sealed_secret', '=', sealedSecret)
    .executeTakeFirst();
  if (disconnected.numUpdatedRows === 0n) return false;
  await transaction
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: code, next_at: null })
    .where('user_id', '=', userId)
    .where('destination_id', '=', destinationId)
    .where('paused_at', 'is', null)
    .execute();
  return true;
}

async function pauseMessenger(
  transaction: Transaction<Schema>,
  { userId, messengerId, destinationId, channelId, sealedSecret, code }: Refusal,
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
        selectFrom('destinations')
          .select('id')
          .where('user_id', '=', userId)
          .where('id', '=', destinationId)
          .where('sealed_secret', '=', sealedSecret),
      ),
    )
    .executeTakeFirst();
  return paused.numUpdatedRows > 0n;
}

/** Ends the pauses of a destination's messengers and plans them: called once it is connected again. */
export async function resumeDestination(
  transaction: Transaction<Schema>,
  clock: Clock,
  ownerId: string,
  destinationId: string,
): Promise<void> {
  const now = clock.now();
  const paused = await transaction
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('destination_id', '=', destinationId)
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
