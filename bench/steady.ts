import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { startRemoteChat } from '../tests/support/remote-chat.ts';
import { measure, openDatabases } from './deliveries/runs.ts';
import { benchSecret } from './deliveries/services.ts';
import { preparePerson } from './person.ts';
import { credentials, memoryOf, root, type Server, startAndWait } from './server.ts';
import { startStandins } from './standins-process.ts';
import { median, type Row } from './table.ts';

const port = 20_130;
const seconds = 60;
const due = 10_000;
const paths = [
  '/api/users/me',
  '/api/bridge/items?stored=1',
  '/api/bridge/accounts?types[]=checking&stored=1',
  '/api/bridge/balances?days=30',
];

/**
 * A web process on PostgreSQL with half of the requests that it can answer, alone and then beside a
 * worker that sends ten thousand messages at one moment. All of it runs on this machine.
 */
export async function measureSteady(): Promise<Row[]> {
  const databases = await openDatabases('postgres');
  const database = await databases.fresh();
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-bench-'));
  const standins = await startStandins();
  const chat = await startRemoteChat(20);
  await measure('fill.ts', database, chat.url, due);
  const product = await startAndWait([execPath, join(root, 'src/server/main.ts')], port, {
    ...credentials,
    ...{ ROLE: 'web', DATABASE_URL: database, APP_SECRET: benchSecret, DATA_DIR: folder },
    ...{ LOG_LEVEL: 'warn', BRIDGE_API_URL: standins.bankUrl },
    SLACK_API_URL: `${standins.chatUrl}/api/`,
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    const token = await preparePerson(`${url}/api`, standins);
    const rate = Math.floor((await maximum(url, token)) / 2);
    const alone = await steady(product, url, token, rate);
    const working = measure<{ ended: number }>(
      ...(['work.ts', database, chat.url, due, Date.now() + 40_000] as const),
    );
    const beside = await steady(product, url, token, rate);
    const { ended } = await working;
    return [
      { run: 'alone', ...alone, 'messages sent': '–' },
      { run: `beside ${due} messages due at once`, ...beside, 'messages sent': ended },
    ];
  } finally {
    await product.stop();
    standins.process.disconnect();
    chat.close();
    await databases.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const run = promisify(execFile);

/** Seconds at the beginning of a run that are not measured. */
const warmUpSeconds = 20;

/** Requests a second with all paths at once on sixteen connections. */
async function maximum(url: string, token: string): Promise<number> {
  const args = [join(root, 'bench/load.ts'), url, token, '16', '5', ...paths];
  const { stdout } = await run(execPath, args);
  return (JSON.parse(stdout) as { perSecond: number }).perSecond * paths.length;
}

async function steady(product: Server, url: string, token: string, rate: number): Promise<Row> {
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(memoryOf(product.process.pid)?.now ?? 0), 1000);
  const args = [join(root, 'bench/arrivals.ts'), url, token, String(rate), String(seconds)];
  const { stdout } = await run(execPath, [...args, ...paths]);
  clearInterval(timer);
  const figures = JSON.parse(stdout) as Record<'answered' | 'errors' | 'p50' | 'p99', number>;
  const measured = memory.slice(warmUpSeconds);
  const third = Math.floor(measured.length / 3);
  return {
    'arrivals per second (half the maximum)': rate,
    answered: figures.answered,
    errors: figures.errors,
    'p50 ms': figures.p50.toFixed(1),
    'p99 ms': figures.p99.toFixed(1),
    'p99 / p50': (figures.p99 / figures.p50).toFixed(1),
    'at most': 5,
    'MiB, first third': median(measured.slice(0, third)).toFixed(0),
    'last third': median(measured.slice(-third)).toFixed(0),
  };
}
