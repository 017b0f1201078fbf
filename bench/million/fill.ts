import { sql } from 'kysely';
import { notificationsUpkeep } from '../../src/server/notifications/upkeep.ts';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import { insertCrowd } from '../../tests/support/crowd.ts';
import { clockFor, dueAt } from '../deliveries/arguments.ts';
import { openBenchServices } from '../deliveries/services.ts';

type Services = Awaited<ReturnType<typeof openBenchServices>>['services'];

/**
 * `count` people with a notification due at one moment, and `days` older days with `rows` deliveries
 * each, which are those of the first notifications.
 */
export async function fill(
  url: string,
  chatUrl: string,
  { count, days, rows }: { count: number; days: number; rows: number },
): Promise<void> {
  const choice = { engine: 'postgres', url } as const;
  const { services, close } = await openBenchServices(
    choice,
    chatUrl,
    clockFor(Date.now() + dayMs),
  );
  for (let first = 0; first < count; first += atOnce) {
    await insertCrowd(services, { count: Math.min(atOnce, count - first), first, dueAt });
  }
  await makeMonths(services, days);
  for (let day = days; day > 0; day -= 1) await insertDay(services, day, rows);
  await sql`vacuum analyze`.execute(services.database.sql);
  await close();
}

const atOnce = 50_000;

/** The hourly upkeep prepares the months to come: it is run as it was in each of the months before. */
async function makeMonths(services: Services, days: number): Promise<void> {
  const upkeep = notificationsUpkeep.find(({ name }) => name === 'deliveries');
  for (let ago = days + 62; ago >= 0; ago -= 28) {
    const then = new Date(dueAt.getTime() - ago * dayMs);
    await upkeep?.run({ ...services, clock: { now: () => then } });
  }
}

async function insertDay({ database }: Services, day: number, rows: number): Promise<void> {
  const due = new Date(dueAt.getTime() - day * dayMs);
  await sql`
    insert into deliveries (user_id, messenger_id, local_date, id, kind, due_at, outcome, sending_at,
      sent_at, finished_at, attempts, channel_id, channel_name, receipt, created_at)
    select user_id, id, ${due.toISOString().slice(0, 10)}::date, gen_random_uuid(), 'daily',
      ${due}::timestamptz, 'delivered', ${due}::timestamptz, ${due}::timestamptz,
      ${due}::timestamptz, 1, channel_id, channel_name, '1763625600.000100', ${due}::timestamptz
    from (select * from messengers limit ${rows}) m`.execute(database.sql);
}
