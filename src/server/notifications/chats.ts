import { ApiError } from '../platform/http/api-error.ts';
import type { ChatKind, ChatProvider } from '../providers/chats/port.ts';
import type { NotificationsDeps } from './deps.ts';
import { notificationErrors } from './errors.ts';

/**
 * The chat that a row names, or the usual one, which is the first in the registry. Throws
 * `Chat_Not_Configured` for one that is not offered here any more.
 */
export function chatOf(
  { chats }: Pick<NotificationsDeps, 'chats'>,
  kind: ChatKind | undefined = chats.keys().next().value,
): ChatProvider {
  const chat = chats.get(kind ?? '');
  if (!chat) throw new ApiError(notificationErrors.Chat_Not_Configured);
  return chat;
}

/**
 * What a destination is called where others than its owner may read it. Where a link has one channel, the
 * stored name may be an address, a person's name or what somebody typed: the chat's name stands for it.
 */
export function publicNameOf(
  { chats }: Pick<NotificationsDeps, 'chats'>,
  kind: ChatKind,
  teamName: string,
): string {
  const chat = chats.get(kind);
  return chat?.channels === 'listed' ? teamName : (chat?.name ?? kind);
}
