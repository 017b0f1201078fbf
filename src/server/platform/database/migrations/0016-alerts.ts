import { type Kysely, sql } from 'kysely';

/**
 * Alerts: what people asked to be told of between two daily messages, the figures that each alert knows,
 * the figures that were read and not yet looked at, and the crossings that were found. A crossing is
 * told by a delivery of a third kind. Everything goes with its account, and with its notification.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(database);
  await allowAlerts(database);
}

const tables = [
  `create table alerts (
    user_id uuid not null,
    id uuid not null,
    messenger_id uuid not null,
    account_id bigint,
    currency text not null,
    kind text not null check (kind in ('below', 'movement')),
    amount_minor bigint not null,
    armed boolean,
    last_minor bigint,
    crossed_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, id),
    unique nulls not distinct (user_id, messenger_id, account_id, currency, kind, amount_minor),
    foreign key (user_id, messenger_id) references messengers (user_id, id) on delete cascade,
    foreign key (user_id, account_id) references bank_accounts (user_id, id) on delete cascade
  )`,
  'create index alerts_account on alerts (user_id, account_id)',
  `create table alert_figures (
    user_id uuid not null,
    alert_id uuid not null,
    account_id bigint not null,
    balance_minor bigint not null,
    as_of timestamptz,
    primary key (user_id, alert_id, account_id),
    foreign key (user_id, alert_id) references alerts (user_id, id) on delete cascade,
    foreign key (user_id, account_id) references bank_accounts (user_id, id) on delete cascade
  )`,
  'create index alert_figures_account on alert_figures (user_id, account_id)',
  `create table alert_readings (
    id bigserial primary key,
    user_id uuid not null,
    reading uuid not null,
    account_id bigint not null,
    balance_minor bigint not null,
    currency text not null,
    as_of timestamptz not null,
    foreign key (user_id, account_id) references bank_accounts (user_id, id) on delete cascade
  )`,
  'create index alert_readings_account on alert_readings (user_id, account_id)',
  `create table alert_crossings (
    id bigserial primary key,
    user_id uuid not null,
    alert_id uuid not null,
    messenger_id uuid not null,
    account_id bigint,
    amount_minor bigint not null,
    balance_minor bigint not null,
    change_minor bigint,
    currency text not null,
    accounts smallint not null,
    as_of timestamptz,
    local_date date not null,
    release_at timestamptz,
    delivery_id uuid,
    created_at timestamptz not null,
    foreign key (user_id, alert_id) references alerts (user_id, id) on delete cascade,
    foreign key (user_id, account_id) references bank_accounts (user_id, id) on delete cascade
  )`,
  'create index alert_crossings_alert on alert_crossings (user_id, alert_id)',
  'create index alert_crossings_account on alert_crossings (user_id, account_id)',
  'create index alert_crossings_delivery on alert_crossings (delivery_id)',
  'create index alert_crossings_held on alert_crossings (release_at) where delivery_id is null',
];

/** The constraint has the name that PostgreSQL gave it, which differs between installations. */
async function allowAlerts(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint where conrelid = 'deliveries'::regclass
      and contype = 'c' and pg_get_constraintdef(oid) like '%kind%'`.execute(database);
  for (const { name } of rows) {
    await sql`alter table deliveries drop constraint ${sql.ref(name)}`.execute(database);
  }
  await sql`alter table deliveries add constraint deliveries_kind
    check (kind in ('daily', 'test', 'alert'))`.execute(database);
}
