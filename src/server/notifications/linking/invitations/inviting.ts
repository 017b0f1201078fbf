import type {
  Invitation,
  InvitationConfirmation,
  InvitationState,
} from '../../../../shared/contract/invitations.ts';
import type { Requester } from '../../../identity/sessions/authentication.ts';
import { type Actor, lockActor } from '../../../identity/sessions/queries.ts';
import { throttled } from '../../../identity/throttling/throttling.ts';
import { lockUser } from '../../../identity/users/queries.ts';
import { inTransaction } from '../../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../../platform/http/api-error.ts';
import type {
  ChatInvitation,
  ChatKind,
  ChatProvider,
  InvitationLinking,
} from '../../../providers/chats/port.ts';
import { chatOf } from '../../chats.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { reconnectMessenger, resolveDestination } from '../../destinations/connecting.ts';
import { destinationHandleOf } from '../../destinations/destination-handle.ts';
import {
  destinationsOf,
  findDestinationOf,
  insertDestination,
  openLink,
} from '../../destinations/queries.ts';
import { createMessenger } from '../../messengers/adding.ts';
import { type MessengerRow, requireMessenger } from '../../messengers/queries.ts';
import { findInvitation, insertInvitation, setInvited } from './queries.ts';

interface Invited {
  chat: ChatKind;
  code: string;
}

const lifetimeMs = 10 * 60 * 1000;

/**
 * A code of 128 random bits, good once and for ten minutes. Throws `Not_Found`, `Too_Many_Requests`, and the
 * chat's `refused` and `unavailable` when it does not tell where its links lead.
 */
export async function invite(
  deps: NotificationsDeps,
  requester: Requester,
  chat: ChatKind,
): Promise<Invitation> {
  const linking = invitationLinkingOf(deps.chats.get(chat));
  const code = deps.randomness.bytes(16).toString('base64url');
  return await throttled(deps, 'chat-link', requester, async () => {
    const links = await linking.invite(code);
    const until = new Date(deps.clock.now().getTime() + lifetimeMs);
    const { userId } = requester;
    await inTransaction(deps.database.sql, async (transaction) => {
      await lockActor(transaction, requester);
      await insertInvitation(transaction, { userId, chat, code, until });
    });
    return { code, ...links, expireDate: until.toISOString() };
  });
}

/**
 * The chat says that the link was pressed there: whose chat it is stands to be confirmed. False for a
 * code that is none, or none any more; the same event once more changes nothing.
 */
export async function acceptInvitation(
  deps: NotificationsDeps,
  chat: ChatKind,
  { code, link }: ChatInvitation,
): Promise<boolean> {
  const known = await findInvitation(deps.database.sql, { userId: null, chat, code });
  if (!known) return false;
  return await inTransaction(deps.database.sql, async (transaction) => {
    const user = await lockUser(transaction, known.user_id);
    const invitation = user && (await findInvitation(transaction, { userId: user.id, chat, code }));
    if (!invitation || invitation.expires_at <= deps.clock.now()) return false;
    const { user_id: userId, destination_id: found } = invitation;
    if (found) {
      const before = destinationsOf(transaction, userId).where('id', '=', found);
      return (await before.executeTakeFirst())?.team_id === link.teamId;
    }
    const entry = { state: 'pending', now: deps.clock.now() } as const;
    const { id } = await insertDestination(deps, transaction, { userId, chat }, link, entry);
    await setInvited(transaction, invitation, id);
    return true;
  });
}

export async function readInvitation(
  deps: NotificationsDeps,
  userId: string,
  invited: Invited,
): Promise<InvitationState> {
  const invitation = await findInvitation(deps.database.sql, { userId, ...invited });
  if (!invitation) return { state: 'expired', name: null };
  const { destination_id: id, expires_at: until } = invitation;
  if (id === null) {
    return { state: until <= deps.clock.now() ? 'expired' : 'waiting', name: null };
  }
  const row = await destinationsOf(deps.database.sql, userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { state: 'found', name: row.team_name } : { state: 'expired', name: null };
}

/**
 * The person has seen whose chat it is, and means it: it gets a notification, or takes the place of an
 * old one. Throws the chat's `linkInvalid` before it was pressed and when it is too old.
 */
export async function confirmInvitation(
  deps: NotificationsDeps,
  actor: Actor,
  { chat, code }: Invited,
  { messengerId }: InvitationConfirmation,
): Promise<{ row: MessengerRow; isNew: boolean }> {
  const { userId } = actor;
  const { linkInvalid } = chatOf(deps, chat).errors;
  const invitation = await findInvitation(deps.database.sql, { userId, chat, code });
  const id = invitation?.destination_id;
  if (!id) throw new ApiError(linkInvalid);
  if (messengerId === undefined) {
    const connected = await resolveDestination(deps, actor, destinationHandleOf({ chat, id }));
    return await createMessenger(deps, actor, connected);
  }
  const pending = await destinationsOf(deps.database.sql, userId)
    .where('id', '=', id)
    .where('pending_until', '>', deps.clock.now())
    .executeTakeFirst();
  if (pending) {
    const asked = { chat, messengerId, pending };
    await reconnectMessenger(deps, actor, asked, openLink(deps, pending));
  } else {
    // The same press again finds what the first one did.
    const known = await findDestinationOf(deps.database.sql, userId, messengerId);
    if (known?.claimed_as !== id) throw new ApiError(linkInvalid);
  }
  return { row: await requireMessenger(deps, userId, messengerId), isNew: false };
}

function invitationLinkingOf(chat: ChatProvider | undefined): InvitationLinking {
  const linking = chat?.linkings.find((one) => one.way === 'invitation');
  if (!linking) throw new ApiError(httpErrors.Not_Found);
  return linking;
}
