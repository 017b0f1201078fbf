import { sql } from 'kysely';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { deleteInBatches } from '../../platform/database/records.ts';
import type { Platform } from '../../platform/platform.ts';
import { historyDays, historyStart } from '../../platform/upkeep.ts';

type Needed = Pick<Platform, 'database' | 'clock'>;

/**
 * Makes the partitions of this month and the next two, and drops those whose last day is older than the
 * history. What stands outside the months is deleted row by row: as a rule there is none.
 */
export async function keepPartitions(deps: Needed): Promise<void> {
  const { database, clock } = deps;
  const names = await listPartitions(deps);
  const now = clock.now();
  for (const ahead of [0, 1, 2]) {
    const month = monthAt(now, ahead);
    if (!names.has(nameOf(month))) await addPartition(deps, month, monthAt(now, ahead + 1));
  }
  const start = historyStart(deps).toISOString().slice(0, 10);
  for (const name of names) {
    // The name of a month is before that of the first month of the history: all its days are.
    if (name >= nameOf(start)) continue;
    await database.sql.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = '2s'`.execute(transaction);
      await sql`drop table ${sql.table(name)}`.execute(transaction);
    });
  }
  await deleteInBatches(
    database,
    (limit) => sql`
      delete from deliveries_other where (user_id, messenger_id, local_date, sequence) in
        (select user_id, messenger_id, local_date, sequence from deliveries_other
          where local_date < ${start} limit ${limit})`,
  );
}

/**
 * Before a backup is filled in: makes the partitions of all months of the history, by the clock of the
 * database. Rows that fall into `deliveries_other` are not moved into a partition made later. Does
 * nothing in the tables of a version that had no partitions.
 */
export async function addMonthsOfHistory(database: OpenDatabase): Promise<void> {
  const { rows } = await sql<{ month: string; next: string }>`
    select to_char(month, 'YYYY-MM-DD') as month,
      to_char(month + interval '1 month', 'YYYY-MM-DD') as next
    from generate_series(date_trunc('month', now() - ${historyDays} * interval '1 day'),
      now() + interval '2 months', interval '1 month') month
    where to_regclass('deliveries_other') is not null`.execute(database.sql);
  for (const { month, next } of rows) await addPartition({ database }, month, next);
}

/** The months: the partition for other days is not among them. */
async function listPartitions({ database }: Needed): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and c.relname ~ '^deliveries_[0-9]{4}_[0-9]{2}$'
    order by c.relname`.execute(database.sql);
  return new Set(rows.map(({ name }) => name));
}

/**
 * Only for a month without rows, which is found out under the lock that keeps them out: attaching a
 * table would not move those that stand among the other days, and moving them could lose an outcome.
 */
async function addPartition(
  { database }: Pick<Needed, 'database'>,
  month: string,
  next: string,
): Promise<void> {
  const name = nameOf(month);
  await database.sql.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '2s'`.execute(transaction);
    await sql`lock table deliveries in access exclusive mode`.execute(transaction);
    const { rows } = await sql`select from deliveries_other where local_date >= ${month}
      and local_date < ${next} limit 1`.execute(transaction);
    if (rows.length > 0) return;
    await sql
      .raw(
        `create table if not exists ${name} partition of deliveries
          for values from ('${month}') to ('${next}')`,
      )
      .execute(transaction);
  });
}

/** The first day of the month, YYYY-MM-DD, so many months after `now` (UTC). */
function monthAt(now: Date, ahead: number): string {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);
  return new Date(first).toISOString().slice(0, 10);
}

function nameOf(day: string): string {
  return `deliveries_${day.slice(0, 7).replace('-', '_')}`;
}
