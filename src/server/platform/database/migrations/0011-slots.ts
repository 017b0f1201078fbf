import { type Kysely, sql } from 'kysely';

/**
 * Notifications of one schedule share a slot, which knows their next sending. Deliveries have one key,
 * are found by `run_at` while they are pending, and are partitioned by the month of their local date.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = async (statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(database);
  };
  await run(tables);
  await fillSlots(database);
  await run(messengers);
  await partition(database);
  await run(deliveries);
}

const tables = [
  `create table slots (
    id uuid primary key default gen_random_uuid(),
    hours smallint not null,
    minutes smallint not null,
    zone text,
    offset_minutes smallint,
    days smallint not null,
    holidays text,
    shard smallint not null,
    next_at timestamptz not null,
    local_date date not null,
    after_user uuid,
    after_messenger uuid,
    claimed_at timestamptz,
    unique nulls not distinct (hours, minutes, zone, offset_minutes, days, holidays, shard)
  )`,
  'create index slots_due on slots (next_at)',
  'alter table deliveries rename to old_deliveries',
  'alter table old_deliveries drop constraint deliveries_pkey',
  `create table deliveries (
    user_id uuid not null,
    messenger_id uuid not null,
    local_date date not null,
    sequence smallint not null default 0,
    id uuid not null,
    kind text not null check (kind in ('daily', 'test')),
    due_at timestamptz not null,
    outcome text not null default 'pending' check
      (outcome in ('pending', 'delivered', 'failed', 'missed', 'uncertain', 'cancelled')),
    run_at timestamptz not null default now(),
    sending_at timestamptz,
    sent_at timestamptz,
    finished_at timestamptz,
    attempts smallint not null default 0,
    resends smallint not null default 0,
    reason text,
    channel_id text,
    channel_name text,
    draft text,
    draft_accounts jsonb,
    receipt text,
    figures jsonb,
    created_at timestamptz not null,
    primary key (user_id, messenger_id, local_date, sequence)
  ) partition by range (local_date)`,
  // Days outside the months that the upkeep makes ahead: of a clock gone wrong, or of a backup.
  'create table deliveries_other partition of deliveries default',
];

const schedule = 'hours, minutes, zone, offset_minutes, days, holidays';
/** A quarter of the users by the first digit of their ids, as schedule/slots.ts has it. */
const shard = `('x' || left(m.user_id::text, 1))::bit(4)::int % 4`;

/**
 * A slot may lie too early, which costs an empty pass, but not too late: a notification that joins it
 * would lose its days. A moment further than the next day may be the end of a pause.
 */
const soonest = `case when min(next_at) < now() + interval '22 hours' then min(next_at)
  when min(next_at) is not null then now() else max(updated_at) end`;

async function fillSlots(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<OldSchedule>`
    select ${sql.raw(schedule)}, ${sql.raw(shard)} as shard,
      ${sql.raw(soonest)} as next_at
    from messengers m group by ${sql.raw(schedule)}, 7`.execute(database);
  for (const row of rows) {
    await sql`
      insert into slots (${sql.raw(schedule)}, shard, next_at, local_date)
      values (${row.hours}, ${row.minutes}, ${row.zone}, ${row.offset_minutes}, ${row.days},
        ${row.holidays}, ${row.shard}, ${row.next_at}, ${localDateOf(row)})`.execute(database);
  }
}

interface OldSchedule {
  hours: number;
  minutes: number;
  zone: string | null;
  offset_minutes: number | null;
  days: number;
  holidays: string | null;
  shard: number;
  next_at: Date;
}

/** The calendar day of the moment, YYYY-MM-DD; in UTC for a zone that this machine does not know. */
function localDateOf({ zone, offset_minutes: east, next_at: at }: OldSchedule): string {
  if (zone === null)
    return new Date(at.getTime() + (east ?? 0) * 60_000).toISOString().slice(0, 10);
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);
  } catch {
    return at.toISOString().slice(0, 10);
  }
}

const messengers = [
  'alter table messengers add column slot_id uuid references slots, add column active_since timestamptz',
  // The sending that was planned next is the first that counts. A moment to come would be taken for
  // that of a wrong clock: nothing that has passed by now counts either.
  `update messengers m set slot_id = s.id,
      active_since = coalesce(least(m.next_at - interval '1 microsecond', now()), m.updated_at)
    from slots s
    where (s.hours, s.minutes, s.days, s.shard) = (m.hours, m.minutes, m.days, ${shard})
      and s.zone is not distinct from m.zone and s.holidays is not distinct from m.holidays
      and s.offset_minutes is not distinct from m.offset_minutes`,
  // Their indexes go with the columns.
  `alter table messengers alter column slot_id set not null, alter column active_since set not null,
    drop column next_at, drop column channel_shared`,
  `create index messengers_slot on messengers (slot_id, user_id, id) where
    channel_id is not null and message <> '' and paused_at is null and not stopped`,
  `create index messengers_figures on messengers (slot_id, user_id)
    where message like '%{{%' and variables`,
];

/** From the oldest delivery to two months ahead. */
async function partition(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ month: string }>`
    select to_char(month, 'YYYY-MM-DD') as month from generate_series(
      date_trunc('month', coalesce((select min(local_date) from old_deliveries), now()::date)),
      date_trunc('month', greatest((select max(local_date) from old_deliveries), now()::date))
        + interval '2 months', interval '1 month') month`.execute(database);
  for (const { month } of rows) {
    const name = `deliveries_${month.slice(0, 7).replace('-', '_')}`;
    await sql
      .raw(
        `create table ${name} partition of deliveries
          for values from ('${month}') to (date '${month}' + interval '1 month')`,
      )
      .execute(database);
  }
}

const columns = `user_id, messenger_id, local_date, id, kind, due_at, outcome, sending_at, sent_at,
  finished_at, attempts, resends, reason, channel_id, channel_name, draft, draft_accounts, receipt,
  figures, created_at`;

const deliveries = [
  `insert into deliveries (sequence, ${columns})
    select case kind when 'daily' then 0 else row_number() over (
      partition by user_id, messenger_id, local_date, kind order by due_at, id) end, ${columns}
    from old_deliveries`,
  'drop table old_deliveries',
  `create index deliveries_pending on deliveries (run_at) where outcome = 'pending'`,
];
