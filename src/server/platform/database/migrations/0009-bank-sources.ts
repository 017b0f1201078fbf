import { type Kysely, sql } from 'kysely';

/**
 * Several sources of balances: each row names its source. Connections and accounts get numbers of
 * ours beside the source's own ids, which are texts; those that exist keep their numbers, and new ones
 * follow. States are in our words.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table bank_users rename to bank_links',
  `alter table bank_links
    add column source text not null default 'bridge',
    add column sealed_secret text,
    alter column provider_user_id drop not null,
    drop constraint bank_users_pkey,
    drop constraint bank_users_provider_user_id_key,
    add primary key (user_id, source),
    add unique (source, provider_user_id)`,
  'alter table bank_links alter column source drop default',

  'alter table bank_visits rename to bank_connect_sessions',
  'alter table bank_connect_sessions rename column item_id to connection_id',
  "alter table bank_connect_sessions add column source text not null default 'bridge'",
  'alter table bank_connect_sessions alter column source drop default',

  'alter table bank_items rename to bank_connections',
  `alter table bank_connections
    add column source text not null default 'bridge',
    add column source_id text,
    add column state text not null default 'unknown'`,
  `update bank_connections set source_id = id::text, state = case status
    when 0 then 'ok' when 1009 then 'ok' when -2 then 'refreshing' when -3 then 'refreshing'
    when 402 then 'credentials' when 429 then 'action-at-bank' when 430 then 'action-at-bank'
    when 1003 then 'unreachable' when 1005 then 'unsupported' when 1007 then 'suspended'
    when 1099 then 'suspended' when 1010 then 'renew' when 1100 then 'confirm-accounts'
    else 'unknown' end`,
  `alter table bank_connections
    alter column source drop default,
    alter column source_id set not null,
    alter column state drop default,
    add unique (user_id, source, source_id)`,

  'alter table bank_accounts rename column item_id to connection_id',
  'alter index bank_accounts_item rename to bank_accounts_connection',
  `alter table bank_accounts
    add column source text not null default 'bridge',
    add column source_id text,
    add column balance_kind text not null default 'unknown'
      check (balance_kind in ('booked', 'available', 'unknown'))`,
  'update bank_accounts set source_id = id::text',
  `alter table bank_accounts
    alter column source drop default,
    alter column source_id set not null,
    add unique (user_id, source, source_id)`,

  'create sequence bank_connection_ids owned by bank_connections.id',
  'create sequence bank_account_ids owned by bank_accounts.id',
  "select setval('bank_connection_ids', max(id)) from bank_connections having max(id) > 0",
  "select setval('bank_account_ids', max(id)) from bank_accounts having max(id) > 0",

  'alter table bank_refreshes rename column wanted_at to scheduled_at',
  `alter table bank_refreshes
    add column source text not null default 'bridge',
    drop constraint bank_refreshes_pkey,
    add primary key (user_id, source)`,
  'alter table bank_refreshes alter column source drop default',

  `alter table bank_calls
    add column source text not null default 'bridge',
    drop constraint bank_calls_pkey,
    add primary key (source, name)`,
  'alter table bank_calls alter column source drop default',

  'alter table deletions add column provider_users jsonb',
  `update deletions set provider_users = jsonb_build_object('bridge', provider_user_id)
    where provider_user_id is not null`,
  'alter table deletions drop column provider_user_id',
];
