import type { ChatKind } from '../../providers/chats/port.ts';

/**
 * What stands in `slackBotToken` and in `?token=`: it names a destination and opens nothing by itself.
 * The web app knows it by its beginning.
 */
export function handleOf({ chat, id }: Named): string {
  return `tirelire-${chat}-${id}`;
}

/** Null for anything but a handle of ours. */
export function readHandle(handle: string): Named | null {
  const [, chat, id] = /^tirelire-([a-z]+)-([A-Za-z0-9_-]{43})$/.exec(handle) ?? [];
  return chat && id ? { chat, id } : null;
}

interface Named {
  chat: ChatKind;
  id: string;
}
