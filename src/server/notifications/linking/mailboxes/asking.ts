import { mailJobs } from '../../../identity/jobs.ts';
import { queueMail } from '../../../identity/mails/outbox.ts';
import type { Requester } from '../../../identity/sessions/authentication.ts';
import { type Actor, lockActor } from '../../../identity/sessions/queries.ts';
import { throttled } from '../../../identity/throttling/throttling.ts';
import { mailboxKey } from '../../../identity/users/queries.ts';
import { inTransaction } from '../../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../../platform/http/api-error.ts';
import { emailKey } from '../../../platform/mail/email-key.ts';
import { mailBody } from '../../../platform/mail/mail-body.ts';
import type { ChatKind } from '../../../providers/chats/port.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { mailboxMailCause } from '../../destinations/mailbox-mails.ts';
import { openQuestion } from '../../destinations/open-questions.ts';
import { notificationErrors } from '../../errors.ts';
import { createMessenger } from '../../messengers/adding.ts';
import { findMessenger, type MessengerRow } from '../../messengers/queries.ts';
import { connectMailbox, mailboxLinkingOf } from './connecting.ts';
import {
  countRequest,
  createConfirmationToken,
  ensureMailbox,
  findMailboxDestination,
  listMailboxes,
  type MailboxRow,
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
  const wanted = { chat, address, key };
  if (isOwn || destination) {
    const unsubscribed = isOwn ? null : notificationErrors.Mailbox_Unsubscribed;
    const linked = await ensureMailbox(deps, sql, userId, wanted);
    if (messengerId !== null) await openQuestion(sql, linked, messengerId);
    const added = await connectMailbox(deps, requester, linked, unsubscribed);
    if (added.isNew || messengerId === null) return added;
    return { row: await requireMessengerOf(deps, userId, chat, messengerId), isNew: false };
  }
  requireNotRefused(known, address);
  await throttled(deps, 'email-confirmation', requester, () =>
    throttled(deps, 'mail-to-mailbox', { mailbox: mailboxKey(address), ip }, () =>
      ask(deps, requester, wanted, messengerId),
    ),
  );
  return null;
}

/** What an account may have of addresses, those that said no included. */
const maxMailboxes = 200;

async function ask(
  deps: NotificationsDeps,
  actor: Actor,
  wanted: WantedMailbox,
  messengerId: string | null,
): Promise<void> {
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
    const mailbox = await ensureMailbox(deps, transaction, userId, wanted);
    if (messengerId !== null) await openQuestion(transaction, mailbox, messengerId);
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
): Promise<MessengerRow> {
  const messenger = await findMessenger(deps, userId, messengerId);
  if (messenger?.chat !== chat) throw new ApiError(httpErrors.Not_Found);
  return messenger;
}

async function readUser({ database }: NotificationsDeps, userId: string) {
  return await database.sql
    .selectFrom('users')
    .select(['email', 'email_key', 'email_confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}
