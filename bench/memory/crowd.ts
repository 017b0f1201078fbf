/**
 * Inserts people whose notifications are all due at one minute. Arguments: database, the chat's
 * address, number of people, the minute in epoch ms.
 */
import { sql } from 'kysely';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { answer, readDatabase } from '../deliveries/arguments.ts';
import { openBenchServices } from '../deliveries/services.ts';

const [where, chatUrl = '', people, minute] = process.argv.slice(2);
const dueAt = new Date(Number(minute));
const clock = { now: () => new Date() };
const { services, close } = await openBenchServices(readDatabase(where), chatUrl, clock);
const quarterMs = 900_000;
const quarter = new Date(Math.ceil(dueAt.getTime() / quarterMs) * quarterMs);
await insertCrowd(services, { count: Number(people), dueAt: quarter });
// An hour is a quarter of an hour somewhere: at an offset, any minute is one.
const offset = (quarter.getTime() - dueAt.getTime()) / 60_000;
const { sql: database } = services.database;
await sql`update slots set zone = null, offset_minutes = ${offset}::int, next_at = ${dueAt}
  where zone = 'UTC'`.execute(database);
await sql`update messengers set zone = null, offset_minutes = ${offset}::int
  where message = 'Bonjour' and zone = 'UTC'`.execute(database);
await sql`analyze`.execute(services.database.sql);
answer({});
await close();
process.exit(0);
