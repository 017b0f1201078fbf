import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../tests/support/postgres.ts';
import { median, type Row } from '../table.ts';
import { literal, usual } from './texts.ts';

const run = promisify(execFile);
const accounts = '20';

interface Result {
  perSecond: number;
  cpuSeconds: number;
}

/** `count` people due at one moment, `rounds` times with each text, each run on a fresh database. */
export async function measureDeliveries(count: number, rounds: number): Promise<Row[]> {
  const server = await startPostgres();
  const texts = { literal, 'stored balances': usual };
  const results = new Map(Object.keys(texts).map((name) => [name, [] as Result[]]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, text] of Object.entries(texts)) {
        results.get(name)?.push(await deliver(await server.createDatabase(), count, text));
      }
    }
  } finally {
    await server.close();
  }
  const rates = [...results].map(([, ofText]) => median(ofText.map((one) => one.perSecond)));
  const [base = 1] = rates;
  return [...results].map(([text, ofText], at) => ({
    text,
    'per second': Math.round(rates[at] ?? 0),
    ratio: ((rates[at] ?? 0) / base).toFixed(2),
    'worker CPU ms each': ((median(ofText.map((one) => one.cpuSeconds)) * 1000) / count).toFixed(2),
  }));
}

async function deliver(databaseUrl: string, count: number, text: string): Promise<Result> {
  const chat = spawn(
    process.execPath,
    [path('../../standins/slack/main.ts'), '--bench', '--tied'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(chat.stdout, 'data');
  const { url } = JSON.parse(String(line)) as { url: string };
  const people = [text, accounts];
  const { stdout } = await run(
    process.execPath,
    [path('../deliveries/many-at-once.ts'), 'postgres', String(count), url, databaseUrl, ...people],
    { maxBuffer: 1024 * 1024 },
  );
  const { done, cpuSeconds } = JSON.parse(stdout) as { done: number; cpuSeconds: number };
  if (done !== count) throw new Error(`${done} of ${count} were delivered`);
  const answer = await fetch(`${url}/_control/messages`);
  const { messages } = (await answer.json()) as { messages: [string, string, number][] };
  chat.stdin.end();
  await once(chat, 'exit');
  const times = messages.map(([, , receivedAt]) => receivedAt).sort((one, other) => one - other);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  return { perSecond: count / seconds, cpuSeconds };
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
