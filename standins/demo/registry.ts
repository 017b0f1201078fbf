import { join } from 'node:path';
import type { ConfiguredChat } from '../../src/server/providers/chats/registry.ts';
import { bridgeEntry } from '../bridge/entry.ts';
import { discordEntry } from '../discord/entry.ts';
import { enableBankingEntry } from '../enablebanking/entry.ts';
import { googlechatEntry } from '../googlechat/entry.ts';
import { mattermostEntry } from '../mattermost/entry.ts';
import { pontoEntry } from '../ponto/entry.ts';
import { qontoEntry } from '../qonto/entry.ts';
import type { RunningStandin, StandinEntry, StartOptions } from '../service/entry.ts';
import { slackEntry } from '../slack/entry.ts';
import { teamsEntry } from '../teams/entry.ts';
import { telegramEntry } from '../telegram/entry.ts';
import { freePort } from './ports.ts';

/** Every stand-in, in the order in which the page and the terminal name them. */
const registry: readonly StandinEntry[] = [
  bridgeEntry,
  slackEntry,
  qontoEntry,
  mattermostEntry,
  discordEntry,
  googlechatEntry,
  teamsEntry,
  telegramEntry,
  pontoEntry,
  enableBankingEntry,
];

/** The stand-ins of the kinds of service of which the product has none configured. */
export function missingServices(configured: { bankSources: Configured[]; chats: Configured[] }) {
  const entries = registry.filter(
    ({ kind }) => !configured[kind].some(({ credentials }) => credentials),
  );
  const areChats = entries.some(({ kind }) => kind === 'chats');
  return { entries, areAll: entries.length === registry.length, areChats };
}

/** Each has a port of its own, `firstPort` and the following ones in the order of the registry. */
export function startStandins(
  entries: readonly StandinEntry[],
  options: Pick<StartOptions, 'clock' | 'publicUrl'> & { folder: string; firstPort: number },
): Promise<RunningStandin[]> {
  const { clock, publicUrl, folder, firstPort } = options;
  return Promise.all(
    entries.map(async (entry) =>
      entry.start({
        port: await freePort(firstPort + registry.indexOf(entry)),
        clock,
        publicUrl,
        stateFile: join(folder, `${entry.name}.json`),
      }),
    ),
  );
}

/** One that asks for no credentials of the installation is always configured: that says nothing. */
type Configured = Pick<ConfiguredChat, 'credentials'>;
