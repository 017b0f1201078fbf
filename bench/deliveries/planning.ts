/**
 * Arguments: database, the chat's address, messengers in all, of which 10,000 are due. Prints
 * the time that planning them takes.
 */
import { sql } from 'kysely';
import { planDue } from '../../src/server/notifications/deliveries/planning.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { answer, dueAt, readDatabase } from './arguments.ts';
import { openBenchServices } from './services.ts';

const due = 10_000;
const [where, chatUrl = '', total] = process.argv.slice(2);
const { services, close } = await openBenchServices(readDatabase(where), chatUrl, {
  now: () => dueAt,
});
await insertCrowd(services, { count: due, dueAt });
const others = Math.floor(Number(total) / due) - 1;
// A hundred thousand rows in each statement: a million would exceed the time limit of the connections.
for (let written = 0; written < others; written += 10) {
  await sql`
    insert into messengers (user_id, id, destination_id, channel_id, channel_name, message, hours,
      minutes, zone, next_at, created_at, updated_at)
    select user_id, gen_random_uuid(), destination_id, channel_id, channel_name, message, 18, 0, zone,
      next_at + interval '9 hours', created_at, updated_at
    from messengers cross join generate_series(1, ${Math.min(10, others - written)}::int)
    where next_at = ${dueAt}::timestamptz`.execute(services.database.sql);
}
await sql`analyze`.execute(services.database.sql);
const start = performance.now();
let planned = 0;
for (let batch = -1; batch !== 0; planned += batch) {
  batch = await planDue(services, dueAt, deliverySettings);
}
answer({ planned, milliseconds: performance.now() - start });
await close();
process.exit(0);
