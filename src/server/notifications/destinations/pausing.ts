import type { Transaction } from 'kysely';
import { queueMail } from '../../identity/mails/outbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { mailBody } from '../../platform/mail/mail-body.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import { publicNameOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { reasonOf } from '../reasons.ts';
import type { RequireHeld } from '../schedule/slot-locks.ts';

/** What a chat says after which nothing is sent until the user acts. */
export type Refusal = {
  userId: string;
  destinationId: string;
  /** The secret that was refused: a refusal of one that was replaced since has no effect. */
  sealedSecret: string;
  code: string;
  /** It was the answer to a message, which is lost; else an event, or the answer to another call. */
  isOfMessage: boolean;
} & (
  | { kind: 'installation' }
  | { kind: 'permission' | 'channel'; messengerId: string; channelId: string }
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
  await queueMail(deps, transaction, { userId, cause, now, ...pauseMail(deps, paused, refusal) });
}

/**
 * Returns the destination, or undefined when there was nothing to pause. The destination is locked first:
 * its secret is not replaced meanwhile, and no two transactions hold what the other needs.
 */
async function pause(
  transaction: Transaction<Schema>,
  refusal: Refusal,
  now: Date,
): Promise<RefusedDestination | undefined> {
  const { userId, destinationId, code } = refusal;
  const destination =
    refusal.kind === 'installation'
      ? await disconnect(transaction, refusal, now)
      : await lockRefused(transaction, refusal);
  if (!destination) return undefined;
  const messengers = transaction
    .updateTable('messengers')
    .set({ paused_at: now, paused_reason: code })
    .where('user_id', '=', userId)
    .where('destination_id', '=', destinationId)
    .where('paused_at', 'is', null);
  if (refusal.kind === 'installation') {
    const count = await lockMessengersIn(transaction, refusal);
    await messengers.execute();
    return count > 0 ? destination : undefined;
  }
  const { numUpdatedRows } = await messengers
    .where('id', '=', refusal.messengerId)
    .where('channel_id', '=', refusal.channelId)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? destination : undefined;
}

async function disconnect(
  transaction: Transaction<Schema>,
  { userId, destinationId, sealedSecret }: Refusal,
  now: Date,
): Promise<RefusedDestination | undefined> {
  return await transaction
    .updateTable('destinations')
    .set({ state: 'disconnected', updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', destinationId)
    .where('state', '=', 'connected')
    .where('sealed_secret', '=', sealedSecret)
    .returning(['chat', 'team_name'])
    .executeTakeFirst();
}

async function lockRefused(
  transaction: Transaction<Schema>,
  { userId, destinationId, sealedSecret }: Refusal,
): Promise<RefusedDestination | undefined> {
  return await transaction
    .selectFrom('destinations')
    .select(['chat', 'team_name'])
    .where('user_id', '=', userId)
    .where('id', '=', destinationId)
    .where('sealed_secret', '=', sealedSecret)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Also those that are paused: one of them may be resumed at this moment, and is seen afterwards. Returns
 * their number.
 */
async function lockMessengersIn(
  transaction: Transaction<Schema>,
  { userId, destinationId }: Refusal,
): Promise<number> {
  const locked = await transaction
    .selectFrom('messengers')
    .select('id')
    .where('user_id', '=', userId)
    .where('destination_id', '=', destinationId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return locked.length;
}

interface RefusedDestination {
  chat: ChatKind;
  team_name: string;
}

/**
 * The words (French, plain text) to the owner of a notification that was just paused. Operators see the
 * subject of a mail that was not taken.
 */
function pauseMail(
  { chats, configuration }: Pick<NotificationsDeps, 'chats' | 'configuration'>,
  { chat: kind, team_name: teamName }: RefusedDestination,
  { code, isOfMessage }: Refusal,
): { subject: string; body: string } {
  const chat = chats.get(kind);
  const destination = chat?.words.destination(teamName) ?? teamName;
  return {
    subject: `Notification en pause\u202f: ${publicNameOf({ chats }, kind, teamName)}`,
    body: mailBody(
      isOfMessage
        ? `Votre notification n'a pas pu être envoyée. Elle était pour ${destination}.`
        : `Votre notification est en pause. Elle est pour ${destination}.`,
      reasonOf(chat, code).sentence,
      `Elle reste en pause jusque-là. Pour la reprendre\u202f: ${configuration.publicUrl}/`,
    ),
  };
}

/**
 * Ends the pauses of a destination's messengers, and returns the ids of these: called once it is connected
 * again, by a transaction that holds their slots.
 */
export async function resumeDestination(
  transaction: Transaction<Schema>,
  clock: Clock,
  userId: string,
  destinationId: string,
  requireHeld: RequireHeld,
): Promise<string[]> {
  const resumed = await transaction
    .updateTable('messengers')
    .set({ paused_at: null, paused_reason: null, active_since: clock.now() })
    .where('user_id', '=', userId)
    .where('destination_id', '=', destinationId)
    .where('paused_at', 'is not', null)
    .returning(['id', 'slot_id'])
    .execute();
  for (const { slot_id } of resumed) requireHeld(slot_id);
  return resumed.map(({ id }) => id);
}
