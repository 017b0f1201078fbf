import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../src/server/app/services.ts';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { scheduleAfterWebhook, startBankWork } from '../../src/server/banking/refreshing/work.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import type { BankReading, BankSource } from '../../src/server/providers/banks/port.ts';
import type { Engine } from '../../tests/support/engines.ts';
import { readDatabase } from '../deliveries/arguments.ts';
import { openDatabases } from '../deliveries/runs.ts';
import { openBenchServices } from '../deliveries/services.ts';
import type { Row } from '../table.ts';
import { addPerson } from './people.ts';

const people = 20;
const accounts = 4;
/** What a reading takes where the source answers, and until a silent one is given up. */
const answerMs = 50;
const silenceMs = 20_000;

/**
 * A hundred connections of five sources, scheduled together: the time until those of four sources are
 * read, while the fifth answers like the others, and while it is silent.
 */
export async function measureSilence(engine: Engine): Promise<Row> {
  const answering = await refreshAll(engine, false);
  const silent = await refreshAll(engine, true);
  return {
    database: engine,
    'all answer': `${answering.toFixed(1)} s`,
    'one is silent': `${silent.toFixed(1)} s`,
    ratio: (silent / answering).toFixed(2),
  };
}

async function refreshAll(engine: Engine, isOneSilent: boolean): Promise<number> {
  const databases = await openDatabases(engine);
  const clock = { now: () => new Date() };
  const database = readDatabase(await databases.fresh());
  const opened = await openBenchServices(database, 'http://127.0.0.1:9', clock);
  const kinds = Array.from({ length: 5 }, (_, at) => `source-${at}`);
  const bankSources = new Map(
    kinds.map((kind, at) => [kind, sourceNamed(kind, isOneSilent && at === 0)] as const),
  );
  const services = { ...opened.services, bankSources };
  services.bankRefreshes = createBankRefreshes(services);
  await schedule(services);
  const started = performance.now();
  const work = startBankWork(services);
  const [, ...others] = bankSources.keys();
  while ((await countRead(services, others)) < people * others.length) await sleep(20);
  const seconds = (performance.now() - started) / 1000;
  // The connections of the silent source are given up in their own time.
  void work.stop();
  await opened.close();
  await databases.close();
  return seconds;
}

async function schedule(services: Services): Promise<void> {
  for (let count = 0; count < people; count += 1) {
    const userId = await addPerson(services);
    for (const source of services.bankSources.keys()) {
      const link = { user_id: userId, source, provider_user_id: `${source} ${userId}` };
      await services.database.sql
        .insertInto('bank_links')
        .values({ ...link, created_at: services.clock.now() })
        .execute();
      await scheduleAfterWebhook(services, { source, providerUserId: link.provider_user_id });
    }
  }
}

async function countRead({ database }: Services, sources: string[]): Promise<number> {
  const { read } = await database.sql
    .selectFrom('bank_refreshes')
    .select(({ fn }) => fn.countAll<number>().as('read'))
    .where('refreshed_at', 'is not', null)
    .where('source', 'in', sources)
    .executeTakeFirstOrThrow();
  return Number(read);
}

function sourceNamed(name: string, isSilent: boolean): BankSource {
  return {
    ...{ name, note: '', credentials: 'installation', connect: { kind: 'manual' } },
    policy: { atPageLoad: true, beforeMessage: null },
    async read({ userId }) {
      await sleep(isSilent ? silenceMs : answerMs);
      if (isSilent) throw new BankSourceError('unavailable', 'silent');
      return readingOf(userId);
    },
    removeConnection: async () => null,
  };
}

function readingOf(userId: string): BankReading {
  const bank = { id: null, name: 'Banque' };
  const asOf = new Date();
  return {
    connections: [
      {
        ...{ id: userId, state: 'ok', code: null, description: null, bank },
        ...{ lastSuccessfulRefresh: asOf, authenticationExpiresAt: null },
      },
    ],
    accounts: Array.from({ length: accounts }, (_, at) => ({
      ...{ id: `${userId} ${at}`, connectionId: userId, name: `Compte ${at}`, type: 'checking' },
      bank,
      balance: { minor: at * 100, currency: 'EUR', kind: 'booked', asOf },
    })),
  };
}
