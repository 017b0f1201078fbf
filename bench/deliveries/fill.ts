/**
 * Arguments: database, the chat's address, number of people, the text and the accounts of each. All
 * are due at one moment, the warm-up a quarter of an hour before.
 */

import { sql } from 'kysely';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { answer, clockFor, dueAt, readDatabase, warmUp } from './arguments.ts';
import { openBenchServices } from './services.ts';

const [where, chatUrl = '', people, message = 'Bonjour', accounts = '0'] = process.argv.slice(2);
const { services, close } = await openBenchServices(
  readDatabase(where),
  chatUrl,
  clockFor(Date.now() + dayMs),
);
const crowd = { message, accounts: Number(accounts) };
await insertCrowd(services, { ...crowd, count: Number(people), dueAt });
const before = new Date(dueAt.getTime() - 900_000);
await insertCrowd(services, { ...crowd, count: warmUp, first: Number(people), dueAt: before });
await sql`analyze`.execute(services.database.sql);
answer({});
await close();
process.exit(0);
