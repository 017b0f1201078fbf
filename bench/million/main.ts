/**
 * `npm run bench:million`: a million notifications of one hour on a PostgreSQL that syncs its commits,
 * over a hundred older days of 10,000 deliveries, posted to a stand-in that answers at once: a third of
 * them by one worker, a third by two, the rest by four. Needs 15 GB of disk and up to 30 minutes.
 * `--count 50000 --days 10` is a small version.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startOwnPostgres } from '../../tests/support/postgres.ts';
import { startRemoteChat } from '../../tests/support/remote-chat.ts';
import { table } from '../table.ts';
import { fill } from './fill.ts';
import { openObserver } from './observer.ts';
import { type Measured, runWorkers } from './workers.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '100' },
    rows: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '6' },
  },
});
const count = Number(values.count);
const server = await startOwnPostgres({ durable: true });
const url = await server.createDatabase();
const chat = await startRemoteChat(0);
const filledFrom = performance.now();
await fill(url, chat.url, { count, days: Number(values.days), rows: Number(values.rows) });
say(`Filled in ${Math.round((performance.now() - filledFrom) / 1000)} s.`);

const observer = await openObserver(url);
const sizesBefore = await observer.sizes();
const setup = { url, chat, moment: Date.now(), observer };
const measured: Measured[] = [];
const walBefore = await observer.walBytes();
let done = 0;
for (const [workers, share] of [
  [1, 1 / 3],
  [2, 2 / 3],
  [4, 1],
] as const) {
  const run = { workers, count: Math.round(count * share) - done, minutes: Number(values.minutes) };
  const one = await runWorkers(setup, run);
  done += one.carried;
  measured.push(one);
}
const walMb = ((await observer.walBytes()) - walBefore) / 1e6;

say(table(measured.map(rowOf)));
say(
  `Delivered: ${done} of ${count}. Log written: ${walMb.toFixed(0)} MB, ${perTenThousand(walMb)}.`,
);
say(table(await observer.growth(sizesBefore)));
say(minuteWords(measured));
await observer.close();
chat.close();
await server.close();
process.exit(0);

function rowOf({ workers, delivered, seconds, workerCpu, databaseCpu, chatCpu }: Measured) {
  const each = (cpuSeconds: number) => ((cpuSeconds * 1000) / delivered).toFixed(3);
  return {
    workers,
    delivered,
    seconds: seconds.toFixed(1),
    'per second': Math.round(delivered / seconds),
    'workers: CPU ms each': each(workerCpu),
    'PostgreSQL: CPU ms each': each(databaseCpu),
    'chat: CPU ms each': each(chatCpu),
  };
}

function perTenThousand(megabytes: number): string {
  return `${((megabytes / done) * 10_000).toFixed(1)} MB per 10,000`;
}

/** The one multiplication: processor time of a delivery, times what a minute asks for. */
function minuteWords(runs: Measured[]): string {
  const [alone] = runs;
  if (!alone) return '';
  const perSecond = 1_000_000 / 60;
  const cores = (cpuSeconds: number) => ((cpuSeconds / alone.delivered) * perSecond).toFixed(1);
  return `A million within a minute are ${Math.round(perSecond)} a second. By the processor time of one worker's run: ${cores(alone.workerCpu)} cores for workers and ${cores(alone.databaseCpu)} for PostgreSQL.`;
}

function say(text: string): void {
  process.stdout.write(`\n${text}\n`);
}
