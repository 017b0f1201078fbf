import { type Kysely, sql } from 'kysely';

/**
 * What the banks said, kept: connections, accounts, and one balance per account and day. Amounts
 * are integers of the currency's minor unit.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `create table bank_items (
    user_id uuid not null references users on delete cascade,
    id bigint not null,
    bank_id bigint not null,
    bank_name text not null,
    status bigint not null,
    status_description text,
    last_successful_refresh timestamptz,
    authentication_expires_at timestamptz,
    seen_at timestamptz not null,
    primary key (user_id, id)
  )`,
  `create table bank_accounts (
    user_id uuid not null,
    id bigint not null,
    item_id bigint not null,
    bank_id bigint not null,
    bank_name text not null,
    name text not null,
    type text not null,
    currency text not null,
    balance_minor bigint,
    updated_at timestamptz,
    first_seen_at timestamptz not null,
    gone_at timestamptz,
    primary key (user_id, id),
    foreign key (user_id, item_id) references bank_items (user_id, id) on delete cascade
  )`,
  'create index bank_accounts_item on bank_accounts (user_id, item_id)',
  'create index bank_accounts_gone on bank_accounts (gone_at) where gone_at is not null',
  `create table bank_balances (
    user_id uuid not null,
    account_id bigint not null,
    day date not null,
    balance_minor bigint not null,
    currency text not null,
    as_of timestamptz not null,
    primary key (user_id, account_id, day),
    foreign key (user_id, account_id) references bank_accounts (user_id, id) on delete cascade
  )`,
  'create index bank_balances_age on bank_balances (day)',
  `create table bank_refreshes (
    user_id uuid primary key references users on delete cascade,
    refreshed_at timestamptz,
    attempted_at timestamptz,
    failure text,
    leased_until timestamptz,
    wanted_at timestamptz,
    erasures integer not null default 0
  )`,
  `create table bank_calls (
    name text primary key,
    free_at timestamptz not null,
    moments timestamptz[] not null default '{}'
  )`,
  // Only a text with a variable needs figures; the refreshing of others would be for nobody.
  `create index messengers_figures on messengers (next_at)
    where next_at is not null and message like '%{{%'`,
];
