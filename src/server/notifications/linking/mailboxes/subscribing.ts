import type { Transaction } from 'kysely';
import { identityErrors } from '../../../identity/errors.ts';
import { mailJobs } from '../../../identity/jobs.ts';
import { queueMail } from '../../../identity/mails/outbox.ts';
import type { Requester } from '../../../identity/sessions/authentication.ts';
import { type Actor, lockActor } from '../../../identity/sessions/queries.ts';
import { throttled } from '../../../identity/throttling/throttling.ts';
import { lockUser, mailboxKey } from '../../../identity/users/queries.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transactions.ts';
import { ApiError, type ErrorCode, httpErrors } from '../../../platform/http/api-error.ts';
import { emailKey } from '../../../platform/mail/email-key.ts';
import { mailBody } from '../../../platform/mail/mail-body.ts';
import { newToken } from '../../../platform/opaque-tokens.ts';
import type { ChatKind, ChatProvider, MailboxLinking } from '../../../providers/chats/port.ts';
import { chatOf } from '../../chats.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { connectLink, reconnectMessenger } from '../../destinations/connecting.ts';
import { mailboxMailCause } from '../../destinations/mailbox-mails.ts';
import { withdrawQuestions } from '../../destinations/open-questions.ts';
import { pauseAfterRefusal, resumeDestination } from '../../destinations/pausing.ts';
import { refusalOfRemoval } from '../../destinations/removal.ts';
import { notificationErrors } from '../../errors.ts';
import { createMessenger } from '../../messengers/adding.ts';
import { findMessenger, type MessengerRow } from '../../messengers/queries.ts';
import { whileSlotsAreShared } from '../../schedule/slots.ts';
import {
  countRequest,
  createConfirmationToken,
  deleteConfirmationTokens,
  ensureMailbox,
  findMailboxDestination,
  findMailboxOfToken,
  listMailboxes,
  type MailboxRow,
  readMailbox,
  reopenMailboxDestination,
  setMailboxState,
  storeUnsubscriptionToken,
  type WantedMailbox,
} from './queries.ts';

/**
 * Links an address: at once the user's own, once it is confirmed; any other when its owner accepts, who
 * is asked by a mail. Null in that case. Throws `Email_Not_Confirmed`, `Mailbox_Unsubscribed`,
 * `Mailbox_Asked_Enough`, `Too_Many_Requests`, and `Not_Found` for a chat that is none of mailboxes or a
 * messenger that is none of this chat.
 */
export async function addMailbox(
  deps: NotificationsDeps,
  requester: Requester,
  chat: ChatKind,
  { address: given, messengerId = null }: { address?: string; messengerId?: string | null },
): Promise<{ row: MessengerRow; isNew: boolean } | null> {
  const { userId, ip } = requester;
  mailboxLinkingOf(deps.chats.get(chat));
  if (messengerId !== null) await requireMessengerOf(deps, userId, chat, messengerId);
  const user = await readUser(deps, userId);
  const address = given ?? user.email;
  const key = emailKey(address);
  const isOwn = key === user.email_key;
  if (isOwn && !user.email_confirmed_at) throw new ApiError(notificationErrors.Email_Not_Confirmed);
  const { sql } = deps.database;
  const known = await listMailboxes(sql, userId, chat);
  const mailbox = known.find(({ address_key }) => address_key === key);
  const destination = mailbox && (await findMailboxDestination(sql, mailbox));
  if (destination && messengerId === null) {
    const connected = { destination, isNewLink: false };
    return await createMessenger(deps, requester, connected, { isByForm: true });
  }
  const wanted = { chat, address, key, messengerId };
  if (isOwn || destination) {
    const unsubscribed = isOwn ? null : notificationErrors.Mailbox_Unsubscribed;
    const linked = await ensureMailbox(deps, sql, userId, wanted);
    return await connect(deps, requester, linked, unsubscribed);
  }
  requireNotRefused(known, address);
  await throttled(deps, 'email-confirmation', requester, () =>
    throttled(deps, 'mail-to-mailbox', { mailbox: mailboxKey(address), ip }, () =>
      ask(deps, requester, wanted),
    ),
  );
  return null;
}

/**
 * The owner of an address wants the messages. Throws `Link_Invalid`, and `Mailbox_Not_Linked` where who asked
 * has no room for one more address.
 */
export async function confirmMailbox(deps: NotificationsDeps, token: string): Promise<void> {
  const mailbox = await findMailboxOfToken(deps, token, 'confirmation');
  if (!mailbox) throw new ApiError(identityErrors.Link_Invalid);
  try {
    const actor = { userId: mailbox.user_id, sessionHash: null };
    await connect(deps, actor, mailbox, identityErrors.Link_Invalid);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === notificationErrors.Too_Many_Destinations.code) {
      throw new ApiError(notificationErrors.Mailbox_Not_Linked);
    }
    if (error.code !== notificationErrors.Too_Many_Messengers.code) throw error;
    // The address is linked, and who asked adds the notification once there is room.
    await deleteConfirmationTokens(deps.database.sql, mailbox);
  }
}

/**
 * The owner of an address does not want the messages, or no more of them: its notifications pause, their
 * owner is written to, and no mail of theirs asks there again. Throws `Link_Invalid`.
 */
export async function refuseMailbox(deps: NotificationsDeps, token: string): Promise<void> {
  const mailbox = await findMailboxOfToken(deps, token, 'confirmation', 'unsubscription');
  if (!mailbox) throw new ApiError(identityErrors.Link_Invalid);
  await inTransaction(deps.database.sql, async (transaction) => {
    const user = await lockUser(transaction, mailbox.user_id);
    if (!user) return;
    await setMailboxState(deps, transaction, mailbox, 'refused');
    await deleteConfirmationTokens(transaction, mailbox);
    const destination = await findMailboxDestination(transaction, mailbox);
    if (!destination) return;
    const chat = chatOf(deps, mailbox.chat);
    // The own address is linked again by a press; no other is asked again.
    const isOwn = mailbox.address_key === user.email_key;
    const code = isOwn ? mailboxLinkingOf(chat).ownUnsubscribed : chat.codes.removed;
    const refusal = refusalOfRemoval(destination, code);
    await pauseAfterRefusal(deps, transaction, refusal, deps.clock.now());
  });
  deps.queue.announce(mailJobs);
}

/**
 * The owner of an address that unsubscribed wants the messages again, which a mail tells who sends them: the
 * notifications that go there resume, of this account alone. Does nothing where it has not unsubscribed. Throws
 * `Link_Invalid`.
 */
export async function resumeMailbox(deps: NotificationsDeps, token: string): Promise<void> {
  const mailbox = await findMailboxOfToken(deps, token, 'unsubscription');
  if (!mailbox) throw new ApiError(identityErrors.Link_Invalid);
  const { user_id: userId, address } = mailbox;
  const actor = { userId, sessionHash: null };
  await whileSlotsAreShared(deps.database, actor, async (transaction, requireHeld) => {
    if ((await readMailbox(transaction, mailbox))?.state !== 'refused') return;
    await setMailboxState(deps, transaction, mailbox, 'confirmed');
    const reopened = await reopenMailboxDestination(deps, transaction, mailbox);
    if (!reopened) return;
    const { id } = reopened;
    const resumed = await resumeDestination(transaction, deps.clock, userId, id, requireHeld);
    if (resumed.length === 0) return;
    await withdrawQuestions(transaction, userId, resumed);
    await queueMail(deps, transaction, {
      ...{ userId, cause: `resumed ${mailbox.id}`, now: deps.clock.now() },
      ...resumption(chatOf(deps, mailbox.chat).words.destination(address), deps.configuration),
    });
  });
  deps.queue.announce(mailJobs);
}

function resumption(destination: string, { publicUrl }: NotificationsDeps['configuration']) {
  return {
    subject: 'Notification reprise',
    body: mailBody(
      `Vos messages arrivent de nouveau à ${destination}\u202f: son propriétaire, qui s'était désabonné, les a redemandés.`,
      `Pour les voir, ou ne plus les envoyer\u202f: ${publicUrl}/`,
    ),
  };
}

function mailboxLinkingOf(chat: ChatProvider | undefined): MailboxLinking {
  const linking = chat?.linkings.find((one) => one.way === 'mailbox');
  if (!linking) throw new ApiError(httpErrors.Not_Found);
  return linking;
}

/**
 * Each step may be repeated: a process that ends between two of them leaves nothing that is wrong. Throws
 * `refused` for an address whose owner has refused the messages meanwhile; null for the user's own.
 */
async function connect(
  deps: NotificationsDeps,
  actor: Actor,
  mailbox: MailboxRow,
  refused: ErrorCode | null,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { userId } = actor;
  const { chat, address, messenger_id: messengerId } = mailbox;
  const linking = mailboxLinkingOf(deps.chats.get(chat));
  const token = newToken(deps.randomness);
  const link = linking.link(mailbox.id, { address, token });
  const known = messengerId ? await findMessenger(deps, userId, messengerId) : null;
  // Under the lock of the user, as a refusal and another link of the notification: the later one counts.
  const accept = async (transaction: Transaction<Schema>) => {
    const now = await readMailbox(transaction, mailbox);
    if (refused && now?.state === 'refused') throw new ApiError(refused);
    if (known && now?.messenger_id !== known.id) throw new QuestionWithdrawn();
    await setMailboxState(deps, transaction, mailbox, 'confirmed');
    await storeUnsubscriptionToken(deps, transaction, mailbox, token);
  };
  const asked = known && { chat, messengerId: known.id };
  try {
    if (asked) await reconnectMessenger(deps, actor, asked, link, accept);
  } catch (error) {
    if (!(error instanceof QuestionWithdrawn)) throw error;
    return await connect(deps, actor, { ...mailbox, messenger_id: null }, refused);
  }
  const added = known
    ? { row: (await findMessenger(deps, userId, known.id)) ?? known, isNew: false }
    : await createMessenger(deps, actor, await connectLink(deps, actor, chat, link, accept));
  await deleteConfirmationTokens(deps.database.sql, mailbox);
  return added;
}

/** The notification that the address was asked to take has another place since, or another address is asked. */
class QuestionWithdrawn extends Error {}

/** What an account may have of addresses, those that said no included. */
const maxMailboxes = 200;

async function ask(deps: NotificationsDeps, actor: Actor, wanted: WantedMailbox): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.database.sql, async (transaction) => {
    // One at a time, so that requests sent at once do not pass the bound together.
    const { id: userId } = await lockActor(transaction, actor);
    const known = await listMailboxes(transaction, userId, wanted.chat);
    requireNotRefused(known, wanted.address);
    if (!(await countRequest(transaction, mailboxKey(wanted.address), now))) {
      throw new ApiError(notificationErrors.Mailbox_Asked_Enough);
    }
    const isNew = known.every(({ address_key }) => address_key !== wanted.key);
    if (isNew && known.length >= maxMailboxes) {
      throw new ApiError(notificationErrors.Too_Many_Destinations);
    }
    if (wanted.messengerId) await withdrawQuestions(transaction, userId, [wanted.messengerId]);
    const mailbox = await ensureMailbox(deps, transaction, userId, wanted);
    const token = await createConfirmationToken(deps, transaction, mailbox);
    await queueMail(deps, transaction, {
      userId: mailbox.user_id,
      cause: `${mailboxMailCause} ${deps.randomness.uuid()}`,
      now,
      ...question,
      to: mailbox.address,
      link: `${deps.configuration.publicUrl}/adresse#jeton=${token}`,
    });
  });
  deps.queue.announce(mailJobs);
}

/** Nothing in it was typed by a user, whose name could be any text: it goes to people who know none. */
const question = {
  subject: 'Recevoir des messages de Tirelire à cette adresse\u202f?',
  body: mailBody(
    "Une personne qui utilise Tirelire demande à vous envoyer ici des messages\u202f: chaque jour ceux qu'elle programme, et parfois une alerte ou un essai. Ils peuvent contenir les soldes et les opérations de ses comptes bancaires.",
    'Pour accepter, ou pour ne plus recevoir de demande de sa part, ouvrez ce lien dans les sept jours\u202f:',
    '[lien]',
    'Sans réponse, aucun message ne vous sera envoyé.',
  ),
};

/** Throws `Mailbox_Unsubscribed` where the owner of the mailbox that the address reaches said no. */
function requireNotRefused(known: MailboxRow[], address: string): void {
  const box = mailboxKey(address);
  if (known.some((one) => one.state === 'refused' && mailboxKey(one.address) === box)) {
    throw new ApiError(notificationErrors.Mailbox_Unsubscribed);
  }
}

async function requireMessengerOf(
  deps: NotificationsDeps,
  userId: string,
  chat: ChatKind,
  messengerId: string,
): Promise<void> {
  const messenger = await findMessenger(deps, userId, messengerId);
  if (messenger?.chat !== chat) throw new ApiError(httpErrors.Not_Found);
}

async function readUser({ database }: NotificationsDeps, userId: string) {
  return await database.sql
    .selectFrom('users')
    .select(['email', 'email_key', 'email_confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}
