import { ApiError } from '../platform/http/api-error.ts';
import type { ChatKind, ChatProvider } from '../providers/chats/port.ts';
import type { NotificationsDeps } from './deps.ts';
import { notificationErrors } from './errors.ts';

/** The chat that a row names. Throws `Chat_Not_Configured` for one that is not offered here any more. */
export function chatOf({ chats }: Pick<NotificationsDeps, 'chats'>, kind: ChatKind): ChatProvider {
  const chat = chats.get(kind);
  if (!chat) throw new ApiError(notificationErrors.Chat_Not_Configured);
  return chat;
}

/** The chat that is meant where none is named: the first in the registry. */
export function usualChat({ chats }: Pick<NotificationsDeps, 'chats'>): ChatProvider {
  const [chat] = chats.values();
  if (!chat) throw new ApiError(notificationErrors.Chat_Not_Configured);
  return chat;
}
