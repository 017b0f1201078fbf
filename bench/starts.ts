import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { credentials, memoryOf, root, startAndWait } from './server.ts';
import { median, type Row } from './table.ts';

const port = 20_110;

interface Start {
  name: string;
  program: string[];
  limitMs: number;
  times: number;
  /** Each start has an empty folder. */
  fresh?: boolean;
}

const starts: Start[] = [
  {
    name: 'npm run serve, existing data',
    program: [execPath, join(root, 'src/server/main.ts')],
    limitMs: 1500,
    times: 5,
  },
  {
    name: 'npm start, everything installed',
    program: ['npm', 'start'],
    limitMs: 3000,
    times: 5,
  },
  {
    name: 'npm start, empty data folder',
    program: ['npm', 'start'],
    limitMs: 8000,
    times: 3,
    fresh: true,
  },
];

export async function measureStarts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of starts) rows.push(await measure(start));
  return rows;
}

async function measure({ name, program, limitMs, times, fresh = false }: Start): Promise<Row> {
  const baseline = await baselineStart();
  const samples: number[] = [];
  let memory: ReturnType<typeof memoryOf> = null;
  let folder = await emptyFolder();
  if (!fresh) await once(program, folder);
  for (let time = 0; time < times; time += 1) {
    const result = await once(program, folder);
    samples.push(result.readyMs);
    memory = result.memory;
    if (!fresh) continue;
    await rm(folder, { recursive: true, force: true });
    folder = await emptyFolder();
  }
  await rm(folder, { recursive: true, force: true });
  const ready = median(samples);
  return {
    start: name,
    'ready ms (median)': ready.toFixed(0),
    worst: Math.max(...samples).toFixed(0),
    'of its limit': (ready / limitMs).toFixed(2),
    'of bare node:http': (ready / baseline).toFixed(1),
    'memory MiB': memory && program[0] !== 'npm' ? memory.now.toFixed(0) : '–',
    'at its highest': memory && program[0] !== 'npm' ? memory.peak.toFixed(0) : '–',
  };
}

async function once(program: string[], folder: string) {
  const isDemonstration = program[0] === 'npm';
  const server = await startAndWait(program, port, {
    DATA_DIR: folder,
    ...(isDemonstration ? {} : credentials),
  });
  // Memory for reading and compiling during the start is released a little later.
  await wait(500);
  const memory = memoryOf(server.process.pid);
  await server.stop();
  return { readyMs: server.readyMs, memory };
}

async function baselineStart(): Promise<number> {
  const program = [execPath, join(root, 'bench/baseline.ts')];
  const samples: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const server = await startAndWait(program, port, {});
    samples.push(server.readyMs);
    await server.stop();
  }
  return median(samples);
}

function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tirelire-bench-'));
}
