import { type Kysely, sql } from 'kysely';

/**
 * Every table of a user's data leads its keys with user_id: one column by which the whole schema
 * can be distributed, and no key that a stranger's id alone could meet.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `create table users (
    id uuid primary key,
    email text not null,
    email_key text not null unique,
    password_hash text not null,
    firstname text not null,
    lastname text not null,
    terms_accepted_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create table sessions (
    token_hash text primary key,
    user_id uuid not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    device text
  )`,
  'create index sessions_user on sessions (user_id)',
  'create index sessions_expiry on sessions (expires_at)',
  `create table workspaces (
    user_id uuid not null references users on delete cascade,
    id text not null,
    team_id text not null,
    team_name text not null,
    bot_user_id text,
    scope text not null,
    sealed_token text not null,
    state text not null check (state in ('pending', 'connected', 'disconnected')),
    pending_until timestamptz,
    claimed_as text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, id)
  )`,
  `create unique index workspaces_team on workspaces (user_id, team_id) where state <> 'pending'`,
  'create index workspaces_by_team on workspaces (team_id)',
  `create table workspace_authorizations (
    state_hash text primary key,
    user_id uuid not null references users on delete cascade,
    expires_at timestamptz not null
  )`,
  `create table bank_users (
    user_id uuid primary key references users on delete cascade,
    provider_user_id text not null unique,
    created_at timestamptz not null
  )`,
  `create table bank_visits (
    nonce text primary key,
    user_id uuid not null references users on delete cascade,
    purpose text not null check (purpose in ('add', 'edit', 'pro')),
    item_id bigint,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table messengers (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    workspace_id text not null,
    channel_id text,
    channel_name text,
    message text not null,
    hours smallint not null check (hours between 0 and 23),
    minutes smallint not null check (minutes in (0, 15, 30, 45)),
    zone text,
    offset_minutes smallint check (offset_minutes between -720 and 840),
    next_at timestamptz,
    planned_on date,
    paused_at timestamptz,
    paused_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, workspace_id) references workspaces (user_id, id),
    check ((zone is null) <> (offset_minutes is null))
  )`,
  'create index messengers_due on messengers (next_at) where next_at is not null',
  'create index messengers_workspace on messengers (user_id, workspace_id)',
  `create table deliveries (
    user_id uuid not null,
    id uuid not null,
    messenger_id uuid not null,
    kind text not null check (kind in ('daily', 'test')),
    local_date date not null,
    due_at timestamptz not null,
    outcome text not null default 'pending' check
      (outcome in ('pending', 'delivered', 'failed', 'missed', 'uncertain', 'cancelled')),
    sending_at timestamptz,
    sent_at timestamptz,
    finished_at timestamptz,
    attempts smallint not null default 0,
    resends smallint not null default 0,
    reason text,
    channel_id text,
    channel_name text,
    draft text,
    chat_ts text,
    created_at timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, messenger_id) references messengers (user_id, id) on delete cascade
  ) with (fillfactor = 60)`,
  `create unique index deliveries_once_a_day on deliveries (user_id, messenger_id, local_date)
    where kind = 'daily'`,
  'create index deliveries_history on deliveries (user_id, messenger_id, due_at, id)',
  'create index deliveries_age on deliveries using brin (created_at)',
  `create table chat_limits (
    team_id text not null,
    method text not null,
    blocked_until timestamptz not null,
    primary key (team_id, method)
  )`,
  `create table mails (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    cause text not null,
    day date not null,
    recipient text not null,
    subject text not null,
    body text not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    failure text,
    primary key (user_id, id),
    unique (user_id, cause, day)
  )`,
];
