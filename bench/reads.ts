import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { preparePerson } from './person.ts';
import { credentials, root, startAndWait } from './server.ts';
import { startStandins } from './standins-process.ts';
import { median, type Row } from './table.ts';

const port = 20_120;
const baselinePort = 20_121;
const rounds = 3;

const reads = [
  { name: '/users/me', paths: ['/api/users/me'], limit: 0.25 },
  {
    name: 'home load, Bridge answers in 5 ms, within its limits',
    paths: ['/api/users/me', '/api/bridge/items', '/api/bridge/accounts?types[]=checking'],
    limit: null,
  },
  {
    name: 'home load, what is known at once',
    paths: [
      '/api/users/me',
      '/api/bridge/items?stored=1',
      '/api/bridge/accounts?types[]=checking&stored=1',
      '/api/bridge/balances?days=30',
    ],
    limit: null,
  },
];

/** The product, bare Node, the stand-ins and the load generator run in processes of their own. */
export async function measureReads(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tirelire-bench-'));
  const standins = await startStandins();
  const product = await startAndWait([execPath, join(root, 'src/server/main.ts')], port, {
    ...credentials,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    BRIDGE_API_URL: standins.bankUrl,
    SLACK_API_URL: `${standins.chatUrl}/api/`,
  });
  const url = `http://127.0.0.1:${port}`;
  const token = await preparePerson(`${url}/api`, standins);
  const baseline = await startAndWait([execPath, join(root, 'bench/baseline.ts')], baselinePort, {
    BASELINE_BODIES: JSON.stringify(await recorded(url, token)),
    BASELINE_DELAY_MS: '5',
  });
  try {
    const rows: Row[] = [];
    for (const read of reads) rows.push(await compare(read, token));
    return rows;
  } finally {
    await baseline.stop();
    await product.stop();
    standins.process.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records the answers of the product, so that bare Node sends the same bytes. */
async function recorded(url: string, token: string): Promise<Record<string, string>> {
  const bodies: Record<string, string> = {};
  for (const path of new Set(reads.flatMap(({ paths }) => paths))) {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    bodies[path] = await answer.text();
  }
  return bodies;
}

/** Alternates between both, so that a busy moment of the machine affects both. */
async function compare(read: (typeof reads)[number], token: string): Promise<Row> {
  const mine: Load[] = [];
  const baseline: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await load(baselinePort, token, read.paths));
    mine.push(await load(port, token, read.paths));
  }
  const perSecond = median(mine.map((one) => one.perSecond));
  const ratio = perSecond / median(baseline.map((one) => one.perSecond));
  return {
    read: read.name,
    'per second': perSecond.toFixed(0),
    'bare node:http': median(baseline.map((one) => one.perSecond)).toFixed(0),
    ratio: ratio.toFixed(2),
    'at least': read.limit ?? '–',
    'p50 ms': median(mine.map((one) => one.p50)).toFixed(1),
    'p99 ms': median(mine.map((one) => one.p99)).toFixed(1),
  };
}

interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

async function load(target: number, token: string, paths: string[]): Promise<Load> {
  const args = [`http://127.0.0.1:${target}`, token, '16', '3', ...paths];
  const { stdout } = await promisify(execFile)(execPath, [join(root, 'bench/load.ts'), ...args]);
  return JSON.parse(stdout) as Load;
}
