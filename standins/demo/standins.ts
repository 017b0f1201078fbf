import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { BridgeConfiguration } from '../../src/server/providers/banks/bridge/configuration.ts';
import type { SlackConfiguration } from '../../src/server/providers/chats/slack/configuration.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../slack/server.ts';
import type { DemoClock } from './clock.ts';
import { freePort } from './ports.ts';

/** The stand-ins that are needed: those whose real counterpart has no credentials. */
export interface Standins {
  bank: BridgeStandin | null;
  chat: SlackStandin | null;
  close(): Promise<void>;
}

export async function startStandins(
  configuration: AppConfiguration,
  folder: string,
  clock: DemoClock,
): Promise<Standins> {
  const bank =
    configuration.bankSources.length > 0 ? null : await startBank(configuration, folder, clock);
  const chat =
    configuration.chats.length > 0 ? null : await startChat(configuration, folder, clock);
  return {
    bank,
    chat,
    async close() {
      await Promise.all([bank?.close(), chat?.close()]);
    },
  };
}

async function startBank(
  { port }: AppConfiguration,
  folder: string,
  clock: DemoClock,
): Promise<BridgeStandin> {
  return startBridgeStandin({
    port: await freePort(port + 2),
    clock,
    stateFile: join(folder, 'bank.json'),
  });
}

async function startChat(
  { port, publicUrl }: AppConfiguration,
  folder: string,
  clock: DemoClock,
): Promise<SlackStandin> {
  return startSlackStandin({
    port: await freePort(port + 3),
    clock,
    stateFile: join(folder, 'chat.json'),
    redirectPrefixes: [publicUrl],
  });
}

/** Of this start: `tellStandins` hands it to the bank. */
const webhookSecret = randomBytes(32).toString('hex');

export function bridgeCredentials(bank: BridgeStandin): BridgeConfiguration {
  return {
    apiUrl: bank.url,
    clientId: bank.clientId,
    clientSecret: bank.clientSecret,
    webhookSecrets: [webhookSecret],
  };
}

/**
 * From now on the bank and the chat tell the product of what happens there, on this machine whatever
 * its name.
 */
export function tellStandins(
  { bank, chat }: Standins,
  address: { host: string; port: number },
): void {
  const host = anyAddress.has(address.host) ? '127.0.0.1' : address.host;
  const api = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/api`;
  bank?.control.setWebhook({
    url: `${api}/bridge/webhooks`,
    secrets: [webhookSecret],
  });
  chat?.control.setEventsUrl(`${api}/messengers/slack/events`);
}

const anyAddress = new Set(['0.0.0.0', '::', '[::]']);

/** The classic pair: the one that the scope `bot` belongs to. */
export function slackCredentials(chat: SlackStandin): SlackConfiguration {
  return {
    apiUrl: chat.apiUrl,
    authorizeUrl: chat.authorizeUrls.classic,
    scope: 'bot',
    clientId: chat.clientId,
    clientSecret: chat.clientSecret,
    signingSecrets: [chat.signingSecret],
  };
}
