import type { ConfiguredProvider } from '../definition.ts';
import type { ChatDefinition } from './definition.ts';
import { discord } from './discord/definition.ts';
import { email } from './email/definition.ts';
import { googlechat } from './googlechat/definition.ts';
import { mattermost, mattermostbot } from './mattermost/definition.ts';
import type { ChatDeps, ChatKind, ChatProvider } from './port.ts';
import { slack } from './slack/definition.ts';
import { teams } from './teams/definition.ts';
import { telegram } from './telegram/definition.ts';

/** Every chat there is, in the order that people are shown. A new one is its folder and a line here. */
export const chats: readonly ChatDefinition[] = [
  slack,
  email,
  teams,
  mattermost,
  mattermostbot,
  discord,
  telegram,
  googlechat,
];

/** What people are told where an access could not be ended, by chat, configured or not. */
export const unrevokedWords: ReadonlyMap<ChatKind, string> = new Map(
  chats.flatMap(({ kind, unrevoked }) => (unrevoked === undefined ? [] : [[kind, unrevoked]])),
);

export type ConfiguredChat = ConfiguredProvider<ChatKind, ChatProvider, ChatDeps>;
