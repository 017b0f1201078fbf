import type { Transaction } from 'kysely';
import type { Actor } from '../../../identity/sessions/queries.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { ApiError, type ErrorCode, httpErrors } from '../../../platform/http/api-error.ts';
import { newToken } from '../../../platform/opaque-tokens.ts';
import type { ChatProvider, MailboxLinking } from '../../../providers/chats/port.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { connectLink, reconnectMessenger } from '../../destinations/connecting.ts';
import { listQuestions } from '../../destinations/open-questions.ts';
import { createMessenger } from '../../messengers/adding.ts';
import { findMessenger, type MessengerRow } from '../../messengers/queries.ts';
import {
  deleteConfirmationTokens,
  type MailboxRow,
  readMailbox,
  setMailboxState,
  storeUnsubscriptionToken,
} from './queries.ts';

/**
 * The notifications that the address is asked to take go there; one that is asked for none gets one more. Each step
 * may be repeated: a process that ends between two of them leaves nothing that is wrong. Throws `refused` for an
 * address whose owner has refused the messages meanwhile; null for the user's own.
 */
export async function connectMailbox(
  deps: NotificationsDeps,
  actor: Actor,
  mailbox: MailboxRow,
  refused: ErrorCode | null,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { chat, address } = mailbox;
  const linking = mailboxLinkingOf(deps.chats.get(chat));
  const token = newToken(deps.randomness);
  const link = linking.link(mailbox.id, { address, token });
  // Under the lock of the user, as a refusal: the later one counts.
  const accept = async (transaction: Transaction<Schema>) => {
    const now = await readMailbox(transaction, mailbox);
    if (refused && now?.state === 'refused') throw new ApiError(refused);
    await setMailboxState(deps, transaction, mailbox, 'confirmed');
    await storeUnsubscriptionToken(deps, transaction, mailbox, token);
  };
  const moved: string[] = [];
  for (const messengerId of await listQuestions(deps.database.sql, mailbox)) {
    const isFirst = moved.length === 0;
    const take = async (transaction: Transaction<Schema>) => {
      const asked = await listQuestions(transaction, mailbox);
      if (!asked.includes(messengerId)) throw new QuestionWithdrawn();
      if (isFirst) await accept(transaction);
    };
    try {
      await reconnectMessenger(deps, actor, { chat, messengerId }, link, take);
      moved.push(messengerId);
    } catch (error) {
      if (!(error instanceof QuestionWithdrawn)) throw error;
    }
  }
  const row = moved[0] === undefined ? null : await findMessenger(deps, mailbox.user_id, moved[0]);
  const added = row
    ? { row, isNew: false }
    : await createMessenger(deps, actor, await connectLink(deps, actor, chat, link, accept));
  await deleteConfirmationTokens(deps.database.sql, mailbox);
  return added;
}

/** The notification that the address was asked to take has another place since, or another address is asked. */
class QuestionWithdrawn extends Error {}

export function mailboxLinkingOf(chat: ChatProvider | undefined): MailboxLinking {
  const linking = chat?.linkings.find((one) => one.way === 'mailbox');
  if (!linking) throw new ApiError(httpErrors.Not_Found);
  return linking;
}
