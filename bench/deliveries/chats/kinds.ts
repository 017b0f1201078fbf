import { configuredDiscord } from '../../../src/server/providers/chats/discord/definition.ts';
import { configuredEmail } from '../../../src/server/providers/chats/email/definition.ts';
import { configuredGoogleChat } from '../../../src/server/providers/chats/googlechat/definition.ts';
import {
  configuredMattermost,
  configuredMattermostBot,
} from '../../../src/server/providers/chats/mattermost/definition.ts';
import type { ConfiguredChat } from '../../../src/server/providers/chats/registry.ts';
import { configuredSlack } from '../../../src/server/providers/chats/slack/definition.ts';
import { configuredTeams } from '../../../src/server/providers/chats/teams/definition.ts';
import { configuredTelegram } from '../../../src/server/providers/chats/telegram/definition.ts';
import * as discord from '../../../standins/discord/server.ts';
import * as googlechat from '../../../standins/googlechat/server.ts';
import { startMailStandin } from '../../../standins/mail/server.ts';
import { botToken, channelId } from '../../../standins/mattermost/bot.ts';
import * as mattermost from '../../../standins/mattermost/server.ts';
import { startSlackStandin } from '../../../standins/slack/server.ts';
import * as teams from '../../../standins/teams/server.ts';
import { startTelegramStandin } from '../../../standins/telegram/server.ts';
import type { CrowdDestination } from '../../../tests/support/crowd.ts';

/** A chat as the benchmark meets it. `url` is what its stand-in is called at. */
interface BenchChat {
  start(): Promise<{ url: string; stall(): void }>;
  configure(url: string): ConfiguredChat;
  /** Of the destination of that number: many of them lead to one channel of the stand-in. */
  destination(url: string, index: number): Omit<CrowdDestination, 'chat'>;
}

const clock = { now: () => new Date() };
const forEver = { times: null };

function webhookChat(start: typeof discord.startDiscordStandin): BenchChat['start'] {
  return async () => {
    const { url, control } = await start({ clock });
    return { url, stall: () => control.addFault({ kind: 'delay', ms: 60_000, ...forEver }) };
  };
}

const [mattermostChannel] = mattermost.channels;
const [discordChannel] = discord.channels;
const [space] = googlechat.channels;
const [flow] = teams.channels;
if (!mattermostChannel || !discordChannel || !space || !flow)
  throw new Error('a stand-in has a channel at least');
const only = (index: number, secret: string) => ({
  ...{ teamId: `crowd-${index}`, channelId: 'webhook', secret },
});
const ana = 7_100_000_001;

export const kinds: Record<string, BenchChat> = {
  slack: {
    async start() {
      const { url, control } = await startSlackStandin({ clock, open: true });
      return { url, stall: () => control.addFault({ kind: 'delay', ms: 60_000, ...forEver }) };
    },
    configure: (url) =>
      configuredSlack({
        ...{ apiUrl: `${url}/api/`, authorizeUrl: url, scope: 'bot' },
        ...{ clientId: '', clientSecret: '', signingSecrets: [] },
      }),
    destination: (_url, index) => ({
      ...{ teamId: `TCROWD${index}`, channelId: `CHANNELTCROWD${index}` },
      secret: `xoxb-TCROWD${index}-secret`,
    }),
  },
  mattermost: {
    start: webhookChat(mattermost.startMattermostStandin),
    configure: () => configuredMattermost({ privateHosts: [] }),
    destination: (url, index) => only(index, mattermost.webhookOf(url, mattermostChannel)),
  },
  mattermostbot: {
    start: webhookChat(mattermost.startMattermostStandin),
    configure: () => configuredMattermostBot({ privateHosts: [] }),
    destination: (url, index) => ({
      ...{ teamId: `crowd-${index}`, channelId: channelId(mattermostChannel) },
      secret: JSON.stringify({ server: url, token: botToken }),
    }),
  },
  discord: {
    start: webhookChat(discord.startDiscordStandin),
    configure: (url) => configuredDiscord({ apiUrl: `${url}/api/v10`, application: null }),
    destination(_url, index) {
      const [id, token] = discordChannel.key.split('/');
      return only(index, JSON.stringify({ id, token }));
    },
  },
  googlechat: {
    start: webhookChat(googlechat.startGoogleChatStandin),
    configure: (url) => configuredGoogleChat({ apiUrl: `${url}/v1` }),
    destination: (_url, index) =>
      only(index, JSON.stringify({ space: space.id, key: 'cle', token: space.key })),
  },
  teams: {
    start: webhookChat(teams.startTeamsStandin),
    configure: () => configuredTeams({ hosts: [] }),
    destination: (url, index) => only(index, teams.workflowOf(url, flow)),
  },
  telegram: {
    async start() {
      const { url, control } = await startTelegramStandin({ clock });
      control.act(ana, 'back');
      return { url, stall: () => control.addFault({ kind: 'delay', ms: 60_000, ...forEver }) };
    },
    configure: (url) =>
      configuredTelegram({
        ...{ apiUrl: url, linkUrl: url, publicUrl: 'http://localhost' },
        token: '8200000001:AAdemonstration-demonstration-00001',
      }),
    destination: (_url, index) => ({ ...only(index, String(ana)), channelId: String(ana) }),
  },
  email: {
    async start() {
      const { smtpUrl, addFault } = await startMailStandin({ isRelay: true });
      return { url: smtpUrl, stall: () => addFault({ at: 'sender', ms: 60_000, ...forEver }) };
    },
    configure: (smtpUrl) =>
      configuredEmail({
        ...{ smtpUrl, from: 'Tirelire <bot@exemple.fr>', publicUrl: 'https://exemple.fr' },
      }),
    destination: (_url, index) =>
      only(index, JSON.stringify({ address: `p${index}@exemple.org`, token: 'A'.repeat(43) })),
  },
};
