import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import type { Choices } from '../../src/server/app/services.ts';
import { earliestSending } from '../../src/server/notifications/messengers/queries.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import { configuredSlack } from '../../src/server/providers/chats/slack/definition.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { openDemoClock } from './clock.ts';
import { openMailbox } from './mailbox.ts';
import { freePort } from './ports.ts';
import { openSite, type Site } from './site.ts';
import {
  bridgeCredentials,
  type Standins,
  slackCredentials,
  startStandins,
  tellStandins,
} from './standins.ts';

export interface Demonstration {
  server: RunningServer;
  /** The demonstration's own page. */
  url: string;
  standins: Standins;
  stop(): Promise<void>;
}

/** The product and whoever it talks to, in one process and on one clock. */
export async function startDemonstration(
  configuration: AppConfiguration,
  choices: Pick<Choices, 'log'> = {},
): Promise<Demonstration> {
  const folder = join(configuration.dataDir, 'demo');
  const clock = openDemoClock(join(folder, 'clock.json'));
  const mailbox = openMailbox(join(folder, 'mails.json'), clock);
  let content: Site | null = null;
  const site = await openSite(await freePort(configuration.port + 1), () => content);
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const standins = await startStandins(configuration, folder, clock);
  const isWhole = standins.bank !== null && standins.chat !== null;
  const completed = demoConfiguration(configuration, standins, url);
  const server = await startServer(completed, {
    ...choices,
    clock,
    ...(isWhole && !configuration.mail ? { mailer: mailbox } : {}),
  });
  tellStandins(standins, { host: configuration.host, port: server.port });
  content = {
    clock,
    mailbox,
    nextSending: () => earliestSending(server.services.database),
    applicationUrl: configuration.publicUrl,
    chatUrl: standins.chat?.url ?? null,
    bank: standins.bank !== null,
  };
  return {
    server,
    url,
    standins,
    async stop() {
      await closeSite(site);
      await server.stop();
      await standins.close();
    },
  };
}

function demoConfiguration(
  configuration: AppConfiguration,
  { bank, chat }: Standins,
  demoUrl: string,
): AppConfiguration {
  return {
    ...configuration,
    demoUrl,
    bankSources: bank ? [configuredBridge(bridgeCredentials(bank))] : configuration.bankSources,
    chats: chat ? [configuredSlack(slackCredentials(chat))] : configuration.chats,
  };
}

async function closeSite(site: Server): Promise<void> {
  await new Promise((done) => {
    site.close(done);
    site.closeAllConnections();
  });
}
