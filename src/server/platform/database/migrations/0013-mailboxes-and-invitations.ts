import { type Kysely, sql } from 'kysely';

/**
 * Addresses that people asked to be written to, and what the owners of these said. The requests are
 * counted without a user, so that the count outlives an account. And what an invitation into a chat,
 * which is asked for its events, needs.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `create table mailboxes (
    user_id uuid not null references users on delete cascade,
    id text not null,
    chat text not null,
    address text not null,
    address_key text not null,
    state text not null check (state in ('asked', 'confirmed', 'refused')),
    messenger_id text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (user_id, id),
    unique (user_id, chat, address_key)
  )`,
  `create table mailbox_tokens (
    token_hash text primary key,
    user_id uuid not null,
    mailbox_id text not null,
    purpose text not null check (purpose in ('confirmation', 'unsubscription')),
    expires_at timestamptz,
    foreign key (user_id, mailbox_id) references mailboxes on delete cascade
  )`,
  'create index mailbox_tokens_mailbox on mailbox_tokens (user_id, mailbox_id)',
  `create table mailbox_requests (
    address_hash text not null,
    asked_at timestamptz not null
  )`,
  'create index mailbox_requests_address on mailbox_requests (address_hash, asked_at)',
  // Which process asks a chat for its events, which are given to one at a time.
  `create table chat_listeners (
    chat text primary key,
    holder uuid not null,
    held_until timestamptz not null
  )`,
  // The destination that an invitation led to, once the chat has told of it.
  'alter table destination_authorizations add column destination_id text',
];
