/**
 * One notification after the other. Arguments: database, the chat's address, number of notifications.
 * The clock is set before each, so that the next quarter of an hour begins little more than half a
 * second later: planning has seen the clock by then, as in production. Prints the real moments at
 * which they were due, in order.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startWorker } from '../../src/server/app/worker.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { answer, dueAt, readDatabase } from './arguments.ts';
import { openBenchServices } from './services.ts';

const quarterMs = 900_000;
const quartersADay = 96;
const [where, chatUrl = '', count] = process.argv.slice(2);
let shiftMs = dueAt.getTime() - quarterMs - Date.now();
const clock = { now: () => new Date(Date.now() + shiftMs) };
const { services, close } = await openBenchServices(readDatabase(where), chatUrl, clock);
for (let quarter = 0; quarter < quartersADay; quarter += 1) {
  await insertCrowd(services, {
    ...{ count: 1, first: quarter },
    dueAt: new Date(dueAt.getTime() + quarter * quarterMs),
  });
}
await sql`analyze`.execute(services.database.sql);
const worker = await startWorker(services);
const moments: number[] = [];
for (let quarter = 0; quarter < Number(count); quarter += 1) {
  const moment = Date.now() + 550 + ((quarter * 137) % 250);
  shiftMs = dueAt.getTime() + quarter * quarterMs - moment;
  moments.push(moment);
  await sleep(moment - Date.now() + 80);
}
await worker.stop();
answer({ moments });
await close();
process.exit(0);
