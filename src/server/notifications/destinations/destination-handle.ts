import type { ChatKind } from '../../providers/chats/port.ts';

/**
 * The handle of a destination, which stands in `slackBotToken` and in `?token=`: the id by which the API
 * and the web app name it. It opens nothing by itself; see docs/decisions/0004-opaque-chat-handles.md.
 * The web app knows it by its beginning.
 */
export function destinationHandleOf({ chat, id }: Named): string {
  return `tirelire-${chat}-${id}`;
}

/** Null for anything but a handle of ours. */
export function readDestinationHandle(handle: string): Named | null {
  const [, chat, id] = /^tirelire-([a-z]+)-([A-Za-z0-9_-]{43})$/.exec(handle) ?? [];
  return chat && id ? { chat, id } : null;
}

interface Named {
  chat: ChatKind;
  id: string;
}
