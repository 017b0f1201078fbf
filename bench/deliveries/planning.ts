/**
 * Arguments: database, the chat's address, messengers in all, of which 10,000 are due. Prints
 * the time that claiming them takes.
 */
import { sql } from 'kysely';
import { claimNextDue } from '../../src/server/notifications/deliveries/due.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import { everyDay } from '../../src/server/notifications/schedule/next-sending.ts';
import { slotFor } from '../../src/server/notifications/schedule/slots.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { trustedClock } from '../../tests/support/trusted-clock.ts';
import { answer, dueAt, readDatabase } from './arguments.ts';
import { openBenchServices } from './services.ts';

const due = 10_000;
const [where, chatUrl = '', total] = process.argv.slice(2);
const { services, close } = await openBenchServices(readDatabase(where), chatUrl, {
  now: () => dueAt,
});
const { sql: database } = services.database;
await insertCrowd(services, { count: due, dueAt });
const evening = { hours: 18, minutes: 0, zone: 'UTC', offset_minutes: null };
const days = { days: everyDay, holidays: null };
const slot = await slotFor(database, { user_id: '0', ...evening, ...days }, dueAt);
const others = Math.floor(Number(total) / due) - 1;
// A hundred thousand rows in each statement: a million would exceed the time limit of the connections.
for (let written = 0; written < others; written += 10) {
  await sql`
    insert into messengers (user_id, id, destination_id, channel_id, channel_name, message, hours,
      minutes, zone, slot_id, active_since, created_at, updated_at)
    select user_id, gen_random_uuid(), destination_id, channel_id, channel_name, message, 18, 0, zone,
      ${slot.id}, active_since, created_at, updated_at
    from messengers cross join generate_series(1, ${Math.min(10, others - written)}::int)
    where hours <> 18`.execute(database);
}
await sql`analyze`.execute(database);
const start = performance.now();
let planned = 0;
for (let isDone = false; !isDone; ) {
  const { written, waitMs } = await claimNextDue(services, 200, deliverySettings, trustedClock);
  planned += written;
  isDone = waitMs > 0;
}
answer({ planned, milliseconds: performance.now() - start });
await close();
process.exit(0);
