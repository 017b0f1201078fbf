/**
 * A worker. Arguments: database, the chat's address, number of deliveries, and the moment at which
 * they are due in epoch ms. Prints the time and processor time from that moment to the last delivery.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startWorker } from '../../src/server/app/worker.ts';
import { answer, clockFor, readDatabase, warmUp } from './arguments.ts';
import { openBenchServices } from './services.ts';

const [where, chatUrl = '', expected, moment] = process.argv.slice(2);
const { services, close } = await openBenchServices(
  readDatabase(where),
  chatUrl,
  clockFor(Number(moment)),
);
const worker = await startWorker(services);
await sleep(Math.max(0, Number(moment) - Date.now() - 200));
// What is late of it would be counted with what is measured.
if ((await countEnded()) < warmUp) throw new Error('the warm-up took too long on this machine');
await sleep(Math.max(0, Number(moment) - Date.now() - 50));
const cpu = process.cpuUsage();
const stalls = monitorEventLoopDelay({ resolution: 5 });
stalls.enable();
let ended = 0;
let peakRss = 0;
while (ended < Number(expected) + warmUp && Date.now() < Number(moment) + 300_000) {
  await sleep(500);
  peakRss = Math.max(peakRss, process.memoryUsage().rss);
  ended = await countEnded();
}
stalls.disable();
const { user, system } = process.cpuUsage(cpu);
await worker.stop();
answer({
  ended,
  cpuSeconds: (user + system) / 1e6,
  longestStallMs: stalls.max / 1e6,
  peakRssMb: peakRss / 1e6,
});
await close();
process.exit(0);

async function countEnded(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from deliveries where outcome = 'delivered'`.execute(
    services.database.sql,
  );
  return rows[0]?.n ?? 0;
}
