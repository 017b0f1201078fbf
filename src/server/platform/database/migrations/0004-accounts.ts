import { type Kysely, sql } from 'kysely';

/**
 * The life of an account: confirmed addresses, links that work once, second factors, sessions that
 * can be named, and erasures that outlive the user until they are done.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table users add column email_confirmed_at timestamptz',
  'alter table sessions add column id uuid not null default gen_random_uuid()',
  'create unique index sessions_name on sessions (user_id, id)',
  `create table account_links (
    token_hash text primary key,
    user_id uuid not null references users on delete cascade,
    purpose text not null check (purpose in ('password', 'email')),
    email text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index account_links_user on account_links (user_id, purpose)',
  'alter table mails add column sealed_link text',
  `create table second_factors (
    user_id uuid primary key references users on delete cascade,
    sealed_secret text not null,
    confirmed_at timestamptz,
    used_step bigint not null default 0,
    created_at timestamptz not null
  )`,
  `create table recovery_codes (
    user_id uuid not null references second_factors on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  )`,
  // No user stands behind these any more: nothing in them says who it was once they are done.
  `create table deletions (
    id uuid primary key,
    receipt_hash text not null unique,
    user_id uuid,
    provider_user_id text,
    recipient text,
    requested_at timestamptz not null,
    tried_at timestamptz not null,
    data_done_at timestamptz,
    bank_done_at timestamptz,
    chat_done_at timestamptz,
    mailed_at timestamptz
  )`,
  `create table deletion_chats (
    user_id uuid not null,
    id text not null,
    team_id text not null,
    sealed_token text not null,
    primary key (user_id, id)
  )`,
];
