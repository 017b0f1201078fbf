import { configuredDiscord } from '../../../src/server/providers/chats/discord/definition.ts';
import { configuredGoogleChat } from '../../../src/server/providers/chats/googlechat/definition.ts';
import { configuredMattermost } from '../../../src/server/providers/chats/mattermost/definition.ts';
import type { ConfiguredChat } from '../../../src/server/providers/chats/registry.ts';
import { configuredTeams } from '../../../src/server/providers/chats/teams/definition.ts';
import * as discord from '../../../standins/discord/server.ts';
import * as googlechat from '../../../standins/googlechat/server.ts';
import * as mattermost from '../../../standins/mattermost/server.ts';
import type { Channel } from '../../../standins/service/channel.ts';
import type { StandinOptions } from '../../../standins/service/options.ts';
import type { WebhookChatStandin } from '../../../standins/service/webhook-chat.ts';
import * as teams from '../../../standins/teams/server.ts';

/** A chat that is linked by a pasted address, and how its stand-in is met. */
export interface LinkedChat {
  kind: string;
  name: string;
  start(options: StandinOptions): Promise<WebhookChatStandin>;
  configure(standin: WebhookChatStandin): ConfiguredChat;
  channels: [GivenChannel, GivenChannel];
  addressOf(url: string, channel: GivenChannel): string;
  /** The letters of a message, however it is drawn. */
  textOf(body: Record<string, unknown>): string;
  /** The chat only accepts a message: the person says whether the trial was seen. */
  mustBeSeen: boolean;
  /** A lost answer may be asked for again. */
  repeats: boolean;
  /** The state of a channel whose address is dead, and what is said of it. */
  gone: string;
  goneWords: RegExp;
  /** It is called at its own address whatever is pasted: what is said of it may then be more exact. */
  hasOwnHost: boolean;
  /** What is said of an answer that is none of this chat. */
  strangeWords: RegExp;
}

type GivenChannel = Pick<Channel, 'id' | 'name' | 'key'>;

export const linkedChats: LinkedChat[] = [
  {
    ...{ kind: 'mattermost', name: 'Mattermost', mustBeSeen: false, repeats: false },
    start: mattermost.startMattermostStandin,
    configure: () => configuredMattermost({ privateHosts: [] }),
    channels: firstTwo(mattermost.channels),
    addressOf: mattermost.webhookOf,
    textOf: ({ text }) => String(text),
    gone: 'deleted',
    goneWords: /n'existe plus sur le serveur/,
    hasOwnHost: false,
    strangeWords: /ne répond pas comme un serveur Mattermost/,
  },
  {
    ...{ kind: 'discord', name: 'Discord', mustBeSeen: false, repeats: false },
    start: discord.startDiscordStandin,
    configure: ({ url }) => configuredDiscord({ apiUrl: `${url}/api/v10`, application: null }),
    channels: firstTwo(discord.channels),
    addressOf: discord.webhookOf,
    textOf: ({ content }) => String(content),
    gone: 'deleted',
    goneWords: /a été supprimé sur Discord/,
    hasOwnHost: true,
    strangeWords: /Discord ne (reconnaît|répond)/,
  },
  {
    ...{ kind: 'googlechat', name: 'Google Chat', mustBeSeen: false, repeats: false },
    start: googlechat.startGoogleChatStandin,
    configure: ({ url }) => configuredGoogleChat({ apiUrl: `${url}/v1` }),
    channels: firstTwo(googlechat.channels),
    addressOf: googlechat.webhookOf,
    textOf: ({ text }) => String(text),
    gone: 'removed',
    goneWords: /webhook a été retiré/,
    hasOwnHost: true,
    strangeWords: /Google Chat n'a pas accepté l'essai/,
  },
  {
    ...{ kind: 'teams', name: 'Microsoft Teams', mustBeSeen: true, repeats: false },
    start: teams.startTeamsStandin,
    configure: () => configuredTeams({ hosts: [] }),
    channels: firstTwo(teams.channels),
    addressOf: teams.workflowOf,
    textOf: (body) => JSON.stringify(body),
    gone: 'deleted',
    goneWords: /flux n'existe plus/,
    hasOwnHost: false,
    strangeWords: /ne répond pas comme un flux Teams/,
  },
];

function firstTwo(channels: GivenChannel[]): [GivenChannel, GivenChannel] {
  const [first, second] = channels;
  if (!first || !second) throw new Error('a stand-in has two channels at least');
  return [first, second];
}
