import { identityErrors } from '../../../identity/errors.ts';
import { mailJobs } from '../../../identity/jobs.ts';
import { queueMail } from '../../../identity/mails/outbox.ts';
import { lockUser } from '../../../identity/users/queries.ts';
import { inTransaction } from '../../../platform/database/transactions.ts';
import { ApiError } from '../../../platform/http/api-error.ts';
import { mailBody } from '../../../platform/mail/mail-body.ts';
import { chatOf } from '../../chats.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { listQuestions, withdrawQuestions } from '../../destinations/open-questions.ts';
import { pauseAfterRefusal, resumeDestination } from '../../destinations/pausing.ts';
import { refusalOfRemoval } from '../../destinations/removal.ts';
import { notificationErrors } from '../../errors.ts';
import { whileSlotsAreShared } from '../../schedule/slot-locks.ts';
import { connectMailbox, mailboxLinkingOf } from './connecting.ts';
import {
  deleteConfirmationTokens,
  findMailboxDestination,
  findMailboxOfToken,
  readMailbox,
  reopenMailboxDestination,
  setMailboxState,
} from './queries.ts';

/**
 * The owner of an address wants the messages. Throws `Link_Invalid`, and `Mailbox_Not_Linked` where who asked
 * has no room for one more address.
 */
export async function confirmMailbox(deps: NotificationsDeps, token: string): Promise<void> {
  const mailbox = await findMailboxOfToken(deps, token, 'confirmation');
  if (!mailbox) throw new ApiError(identityErrors.Link_Invalid);
  try {
    const actor = { userId: mailbox.user_id, sessionHash: null };
    await connectMailbox(deps, actor, mailbox, identityErrors.Link_Invalid);
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
    const wasAsked = await deleteConfirmationTokens(transaction, mailbox);
    if (wasAsked) {
      const now = deps.clock.now();
      const mail = refusal(mailbox.address, deps.configuration);
      const cause = `refused ${mailbox.id}`;
      await queueMail(deps, transaction, { userId: user.id, cause, now, ...mail });
    }
    const destination = await findMailboxDestination(transaction, mailbox);
    if (destination) {
      const chat = chatOf(deps, mailbox.chat);
      // The own address is linked again by a press; no other is asked again.
      const isOwn = mailbox.address_key === user.email_key;
      const code = isOwn ? mailboxLinkingOf(chat).ownUnsubscribed : chat.codes.removed;
      const removal = refusalOfRemoval(destination, code);
      await pauseAfterRefusal(deps, transaction, removal, deps.clock.now());
    }
    // Notifications are locked after their destination.
    await withdrawQuestions(transaction, user.id, await listQuestions(transaction, mailbox));
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

function refusal(address: string, { publicUrl }: NotificationsDeps['configuration']) {
  return {
    subject: 'Adresse refusée',
    body: mailBody(
      `Le propriétaire de l'adresse ${address} ne souhaite pas y recevoir de messages\u202f: rien ne lui sera envoyé, et il ne sera plus sollicité pour vous.`,
      `Pour choisir une autre adresse\u202f: ${publicUrl}/`,
    ),
  };
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
