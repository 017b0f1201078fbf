import type { ConfiguredProvider } from '../definition.ts';
import type { ChatOutside, ChatProvider } from './port.ts';
import { slack } from './slack/definition.ts';

/** Every chat there is. A new one is its folder and a line here. */
export const chats = [slack] as const;

export type ChatKind = (typeof chats)[number]['kind'];

export type ConfiguredChat = ConfiguredProvider<ChatKind, ChatProvider, ChatOutside>;
