import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startWorker } from '../../src/server/deliveries/worker.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { type DatabaseChoice, openParts } from './parts.ts';

/**
 * Inserts `count` people due at one moment some seconds ahead, runs a worker until all ended, and
 * prints what it cost as one line of JSON. Each has `accounts` accounts to write of in `message`.
 */
const [kind = '', count = '10000', chatUrl = '', where = '', message = 'Bonjour', accounts = '0'] =
  process.argv.slice(2);
const choice: DatabaseChoice =
  kind === 'embedded' ? { engine: 'embedded', folder: where } : { engine: 'postgres', url: where };
/** A quarter of an hour, as every notification has. The clock is set so that it comes soon. */
const dueAt = new Date('2026-01-12T09:00:00Z');
let shiftMs = dueAt.getTime() - 86_400_000 - Date.now();
const clock = { now: () => new Date(Date.now() + shiftMs) };
const { parts, close, database } = await openParts(choice, chatUrl, clock);
await insertCrowd(parts, { count: Number(count), dueAt, message, accounts: Number(accounts) });
await sql`analyze`.execute(database.sql);
const moment = new Date(Date.now() + 2000);
shiftMs = dueAt.getTime() - moment.getTime();
const worker = await startWorker(parts);
await sleep(Math.max(0, moment.getTime() - Date.now() - 50));
const cpu = process.cpuUsage();
const stalls = monitorEventLoopDelay({ resolution: 5 });
stalls.enable();
let done = 0;
let peakRss = 0;
while (done < Number(count) && Date.now() < moment.getTime() + 120_000) {
  await sleep(250);
  peakRss = Math.max(peakRss, process.memoryUsage().rss);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from deliveries where outcome = 'delivered'`.execute(database.sql);
  done = rows[0]?.n ?? 0;
}
stalls.disable();
const used = process.cpuUsage(cpu);
await worker.stop();
process.stdout.write(
  `${JSON.stringify({ moment: moment.getTime(), done, cpuSeconds: (used.user + used.system) / 1e6, longestStallMs: stalls.max / 1e6, peakRssMb: peakRss / 1e6 })}\n`,
);
await close();
process.exit(0);
