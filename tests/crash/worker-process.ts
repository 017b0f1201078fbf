/**
 * A worker in a process of its own, to be killed. Arguments: engine, database, the chat's address,
 * epoch ms at which its clock shows the due moment, and how many people to insert first (0: none).
 * Prints "ready" once it works and, once nothing is pending, every delivery as a line of JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openServices } from '../../src/server/app/services.ts';
import { startWorker } from '../../src/server/app/worker.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { configurationFor } from '../support/configuration.ts';
import { insertCrowd } from '../support/crowd.ts';

const [engine = '', where = '', chatUrl = '', zero = '0', people = '0'] = process.argv.slice(2);
const dueAt = new Date('2026-01-12T08:00:00Z');
const clock = { now: () => new Date(dueAt.getTime() + Date.now() - Number(zero)) };
const choice =
  engine === 'embedded'
    ? ({ engine: 'embedded', folder: where } as const)
    : ({ engine: 'postgres', url: where } as const);
const database = await openDatabase({ database: choice }, () => {});
await migrate(database);
const { services } = await openServices(
  { ...configurationFor(chatUrl), database: choice },
  {
    ...{ clock, database, log: pino({ level: 'silent' }) },
    queue: { superviseSeconds: 1 },
  },
);
if (people !== '0') {
  await insertCrowd(services, { count: Number(people), dueAt });
  await database.close();
  process.exit(0);
}

await startWorker(services, {
  ...deliverySettings,
  ...{ concurrency: 6, idleMs: 50, postWithinMs: 500, leaseMs: 2000 },
  backoffSeconds: () => 0.2,
});
process.stdout.write('ready\n');
for (;;) {
  try {
    // In this order: what is claimed in between is then among the rows.
    const due = await database.sql
      .selectFrom('slots')
      .select('id')
      .where('next_at', '<=', clock.now())
      .execute();
    const rows = await database.sql
      .selectFrom('deliveries')
      .select(['id', 'outcome', 'resends', 'attempts'])
      .execute();
    if (due.length === 0 && rows.length > 0 && rows.every(({ outcome }) => outcome !== 'pending')) {
      process.stdout.write(`${JSON.stringify(rows)}\n`, () => process.exit(0));
      break;
    }
  } catch {
    // The server was killed, and comes back.
  }
  await sleep(100);
}
