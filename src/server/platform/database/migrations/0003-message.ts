import { type Kysely, sql } from 'kysely';

/**
 * When a notification rests and which accounts it speaks of; what a daily message said, so that the
 * next one can name the change. What exists keeps its meaning: every day, every account.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `alter table messengers
    add column days smallint not null default 127 check (days between 1 and 127),
    add column paused_until date,
    add column stopped boolean not null default false,
    add column holidays text,
    add column account_scope text not null default 'all' check (account_scope in ('all', 'chosen')),
    add column includes_new boolean not null default true,
    add column variables boolean not null default false`,
  `create table messenger_accounts (
    user_id uuid not null,
    messenger_id uuid not null,
    account_id bigint not null,
    included boolean not null,
    primary key (user_id, messenger_id, account_id),
    foreign key (user_id, messenger_id) references messengers (user_id, id) on delete cascade
  )`,
  'alter table deliveries add column figures jsonb, add column draft_accounts jsonb',
];
