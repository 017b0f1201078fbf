/**
 * Arguments: database (PostgreSQL), the chat's address, days of history. Prints the log (WAL) that
 * PostgreSQL writes while 10,000 due deliveries are claimed and their outcomes recorded, in MB.
 */
import { sql } from 'kysely';
import { claimNextDue } from '../../src/server/notifications/deliveries/due.ts';
import { recordOutcomes } from '../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../src/server/notifications/deliveries/settings.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { trustedClock } from '../../tests/support/trusted-clock.ts';
import { answer, dueAt, readDatabase } from './arguments.ts';
import { openBenchServices } from './services.ts';

const [where, chatUrl = '', days = '100'] = process.argv.slice(2);
const { services, close } = await openBenchServices(readDatabase(where), chatUrl, {
  now: () => dueAt,
});
const { sql: database } = services.database;
await insertCrowd(services, { count: 10_000, dueAt });
for (const [month, next] of [
  ['2025-09-01', '2025-10-01'],
  ['2025-10-01', '2025-11-01'],
  ['2025-11-01', '2025-12-01'],
  ['2025-12-01', '2026-01-01'],
  ['2026-01-01', '2026-02-01'],
] as const) {
  await sql`create table ${sql.table(`bench_${month.slice(0, 7).replace('-', '_')}`)}
    partition of deliveries for values from (${sql.lit(month)}) to (${sql.lit(next)})`.execute(
    database,
  );
}
for (let day = 1; day <= Number(days); day += 1) {
  await sql`insert into deliveries (user_id, messenger_id, local_date, id, kind, due_at, outcome,
      sent_at, finished_at, attempts, channel_id, channel_name, receipt, created_at)
    select user_id, id, ${dueAt}::date - ${day}::int, gen_random_uuid(), 'daily', ${dueAt},
      'delivered', ${dueAt}, ${dueAt}, 1, channel_id, channel_name, '1763625600.000100', ${dueAt}
    from messengers order by random()`.execute(database);
}
await sql`vacuum analyze`.execute(database);
await sql`checkpoint`.execute(database);

const start = await position();
let claimed = 0;
for (let isDone = false; !isDone; ) {
  const { deliveries, waitMs } = await claimNextDue(services, 200, deliverySettings, trustedClock);
  isDone = waitMs > 0;
  claimed += deliveries.length;
  if (deliveries.length === 0) continue;
  const change = { sentAt: dueAt, finishedAt: dueAt, receipt: '1763625600.000100', reason: null };
  const outcomes = deliveries.map((delivery) => ({
    ...{ delivery, againAfterSeconds: null },
    change: { ...change, outcome: 'delivered' as const, isUnposted: false },
  }));
  await recordOutcomes(services, outcomes, dueAt);
}
answer({ claimed, logMb: ((await position()) - start) / 1e6 });
await close();
process.exit(0);

/** In the log, bytes. */
async function position(): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`.execute(database);
  return rows[0]?.at ?? 0;
}
