import { type RemoteChat, startRemoteChat } from '../../tests/support/remote-chat.ts';
import type { Row } from '../table.ts';
import { leadMs, warmUp } from './arguments.ts';
import { measure, openDatabases, quantile } from './runs.ts';

interface Baseline {
  perSecond: number;
  cpuSeconds: number;
}

interface Worked {
  ended: number;
  cpuSeconds: number;
  longestStallMs: number;
  peakRssMb: number;
}

const people = 10_000;

/** The bare loop runs before and after. The ratios are to the mean of both. */
export async function measureBurst(): Promise<Row[]> {
  const chat = await startRemoteChat(20);
  const before = await baselineLoop(chat);
  const rows: Row[] = [];
  const runs: [string, 'postgres' | 'embedded', number][] = [
    ['PostgreSQL, one worker', 'postgres', 1],
    ['PostgreSQL, two workers', 'postgres', 2],
    ['embedded, one worker', 'embedded', 1],
  ];
  const measured = [];
  for (const [name, engine, workers] of runs) {
    measured.push({ name, ...(await burst(chat, engine, workers, people)) });
  }
  const after = await baselineLoop(chat);
  chat.close();
  const baseline = {
    perSecond: (before.perSecond + after.perSecond) / 2,
    cpuSeconds: (before.cpuSeconds + after.cpuSeconds) / 2,
  };
  rows.push({ ...empty('bare loop, no database'), ...speed(baseline, baseline) });
  for (const { name, ...run } of measured)
    rows.push({ ...run.row, run: name, ...speed(run, baseline) });
  return rows;
}

/** The memory of a worker while a hundred thousand deliveries wait. */
export async function measureLarge(): Promise<Row[]> {
  const chat = await startRemoteChat(20);
  const { row, perSecond } = await burst(chat, 'postgres', 1, 100_000);
  chat.close();
  return [{ ...row, run: 'PostgreSQL, one worker', 'per second': Math.round(perSecond) }];
}

const baselineLoop = (chat: RemoteChat) => measure<Baseline>('baseline.ts', people, 200, chat.url);

async function burst(
  chat: RemoteChat,
  engine: 'postgres' | 'embedded',
  workers: number,
  count: number,
): Promise<Baseline & { row: Row }> {
  const databases = await openDatabases(engine);
  const database = await databases.fresh();
  await measure('fill.ts', database, chat.url, count);
  await chat.forget();
  const moment = Date.now() + leadMs;
  const worked = await Promise.all(
    Array.from({ length: workers }, () =>
      measure<Worked>('work.ts', database, chat.url, count, moment),
    ),
  );
  const lags = (await chat.arrivals())
    .map(({ at }) => at - moment)
    .filter((lag) => lag >= 0)
    .sort((a, b) => a - b);
  await databases.close();
  const last = lags.at(-1) ?? Number.NaN;
  const largest = (figure: keyof Worked) => Math.max(...worked.map((one) => one[figure]));
  return {
    perSecond: lags.length / (last / 1000),
    cpuSeconds: worked.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    row: {
      ...empty(''),
      'posted (ended)': `${lags.length} (${largest('ended') - warmUp})`,
      'lag p50 ms': Math.round(quantile(lags, 0.5)),
      'lag p99 ms': Math.round(quantile(lags, 0.99)),
      'last post s': (last / 1000).toFixed(2),
      'longest stall ms': Math.round(largest('longestStallMs')),
      'peak MB': Math.round(largest('peakRssMb')),
    },
  };
}

function empty(run: string): Row {
  const figures = ['posted (ended)', 'lag p50 ms', 'lag p99 ms', 'last post s'];
  const more = ['longest stall ms', 'peak MB'];
  return { run, ...Object.fromEntries([...figures, ...more].map((name) => [name, '–'])) };
}

function speed(run: Baseline, baseline: Baseline): Row {
  return {
    'per second': Math.round(run.perSecond),
    'ratio to bare': (run.perSecond / baseline.perSecond).toFixed(2),
    'CPU s / 1,000': ((run.cpuSeconds / people) * 1000).toFixed(3),
    'CPU ratio': (run.cpuSeconds / baseline.cpuSeconds).toFixed(2),
  };
}
