import type { Transaction } from 'kysely';
import { queueMail } from '../../identity/mails/outbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { reasonOf } from '../reasons.ts';

/** An answer of the chat after which nothing is sent until the user acts. */
export type Refusal = {
  userId: string;
  destinationId: string;
  /** The secret that was refused: a refusal of one that was replaced since has no effect. */
  sealedSecret: string;
  code: string;
} & (
  | { cause: 'installation' }
  | { cause: 'permission' | 'channel'; messengerId: string; channelId: string }
);

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
  const paused = await pause(transaction, refusal, now);
  if (!paused) return;
  const { userId, code: cause } = refusal;
  await queueMail(deps, transaction, { userId, cause, now, ...pauseMail(deps, paused, cause) });
}

/** Returns the destination, or undefined when nothing was left to pause. */
async function pause(
  transaction: Transaction<Schema>,
  refusal: Refusal,
  now: Date,
): Promise<RefusedDestination | undefined> {
  const { userId, destinationId, sealedSecret, code } = refusal;
  const messengers = transaction
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: code })
    .where('messengers.user_id', '=', userId)
    .where('messengers.destination_id', '=', destinationId)
    .where('messengers.paused_at', 'is', null);
  if (refusal.cause !== 'installation') {
    return await messengers
      .from('destinations')
      .where('messengers.id', '=', refusal.messengerId)
      .where('messengers.channel_id', '=', refusal.channelId)
      .where('destinations.user_id', '=', userId)
      .where('destinations.id', '=', destinationId)
      .where('destinations.sealed_secret', '=', sealedSecret)
      .returning(['destinations.chat', 'destinations.team_name'])
      .executeTakeFirst();
  }
  const disconnected = await transaction
    .updateTable('destinations')
    .set({ state: 'disconnected', updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', destinationId)
    .where('state', '=', 'connected')
    .where('sealed_secret', '=', sealedSecret)
    .returning(['chat', 'team_name'])
    .executeTakeFirst();
  if (disconnected) await messengers.execute();
  return disconnected;
}

interface RefusedDestination {
  chat: ChatKind;
  team_name: string;
}

/** The words (French, plain text) to the owner of a notification that was just paused. */
function pauseMail(
  { chats, configuration }: Pick<NotificationsDeps, 'chats' | 'configuration'>,
  { chat: kind, team_name: teamName }: RefusedDestination,
  code: string,
): { subject: string; body: string } {
  const chat = chats.get(kind);
  return {
    subject: `Notification en pause\u202f: ${teamName}`,
    body: [
      'Bonjour,',
      `Votre notification pour ${chat?.words.destination(teamName) ?? teamName} n'a pas pu être envoyée.`,
      reasonOf(chat, code).sentence,
      `Elle reste en pause jusque-là. Pour la reprendre\u202f: ${configuration.publicUrl}/`,
      'Tirelire',
    ].join('\n\n'),
  };
}

/** Ends the pauses of a destination's messengers: called once it is connected again. */
export async function resumeDestination(
  transaction: Transaction<Schema>,
  clock: Clock,
  ownerId: string,
  destinationId: string,
): Promise<void> {
  await transaction
    .updateTable('messengers')
    .set({ paused_at: null, paused_reason: null, active_since: clock.now() })
    .where('user_id', '=', ownerId)
    .where('destination_id', '=', destinationId)
    .where('paused_at', 'is not', null)
    .execute();
}
