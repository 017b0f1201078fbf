import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type RunningServer, startServer } from '../../src/server/app/server.ts';
import type { ServiceOverrides } from '../../src/server/app/services.ts';
import { requireDataFolder } from '../../src/server/platform/configuration/data-folder.ts';
import {
  demonstrationFolder,
  requireNoRealData,
} from '../../src/server/platform/configuration/demonstration-folder.ts';
import type { Environment } from '../../src/server/platform/configuration/environment.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import { startMailStandin } from '../mail/server.ts';
import type { RunningStandin } from '../service/entry.ts';
import { openDemoClock } from './clock.ts';
import { requireLoopback } from './loopback.ts';
import { openMailbox } from './mailbox.ts';
import { freePort } from './ports.ts';
import { isReading, isSending, nextSendingOf, progressOf } from './progress.ts';
import { missingServices, startStandins } from './registry.ts';
import { openSite, type Site } from './site.ts';

export interface Demonstration {
  server: RunningServer;
  /** The demonstration's own page. */
  url: string;
  /** Where people reach the product. */
  applicationUrl: string;
  standins: RunningStandin[];
  stop(): Promise<void>;
}

/** The product and the services it lacks, in one process and on one clock. */
export async function startDemonstration(
  environment: Environment,
  workFolder: string,
  overrides: Pick<ServiceOverrides, 'log'> = {},
): Promise<Demonstration> {
  const configuration = readConfiguration(environment, 'start', workFolder);
  requireDataFolder(configuration);
  requireNoRealData(configuration);
  const { port, publicUrl } = configuration;
  const folder = demonstrationFolder(configuration);
  const clock = openDemoClock(join(folder, 'clock.json'));
  const mailbox = openMailbox(join(folder, 'mails.json'), clock);
  const missing = missingServices(configuration);
  requireLoopback(configuration, { isAnyReal: !missing.areAll });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let content: Site | null = null;
  const site = await openSite(await freePort(port + 1), () => content);
  const options = { clock, publicUrl, folder, firstPort: port + 2 };
  const standins = await startStandins(missing.entries, options);
  // Balances of a real bank are mailed nowhere by a demonstration, and no real server is left out.
  const post =
    missing.areAll && !configuration.mail ? await startMailStandin({ onMail: mailbox.send }) : null;
  const variables = Object.assign(
    post ? { SMTP_URL: post.smtpUrl, MAIL_FROM: 'Tirelire <tirelire@exemple.fr>' } : {},
    ...standins.map((one) => one.variables),
  );
  const completed = readConfiguration({ ...environment, ...variables }, 'start', workFolder);
  const server = await startServer(
    { ...completed, demoUrl: site.url },
    {
      ...overrides,
      clock,
      // Where the chats are played, no pasted address leads out of this machine.
      ...(missing.areChats && {
        standinOrigins: standins.flatMap(({ origins = [] }) => origins),
      }),
    },
  );
  const apiUrl = `http://${urlHostOf(configuration.host)}:${server.port}/api`;
  for (const standin of standins) standin.notify(apiUrl);
  content = {
    clock,
    mailbox,
    nextSending: () => nextSendingOf({ database: server.services.database, clock }),
    isReading: (sending) => isReading(server.services, sending),
    isSending: () => isSending({ database: server.services.database, clock }),
    rest: () => setTimeout(restMs),
    progress: () => progressOf(server.services, { standins, mailsUrl: `${site.url}/mails` }),
    applicationUrl: publicUrl,
    standins,
  };
  return {
    server,
    url: site.url,
    applicationUrl: publicUrl,
    standins,
    async stop() {
      await site.close();
      await server.stop();
      await Promise.all([post, ...standins].map((standin) => standin?.close()));
    },
  };
}

/** How long a move of the clock waits before it looks again whether a message has left. */
const restMs = 100;

function urlHostOf(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
