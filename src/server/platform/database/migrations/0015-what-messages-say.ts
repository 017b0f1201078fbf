import { type Kysely, sql } from 'kysely';

/**
 * What a notification points out beside its text (all of it, also where it was written before), and how
 * much of the operations it tells. What was read of these waits, sealed, for the message that tells it;
 * prints of the operations themselves say for a month which ones were told.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `alter table messengers add column attention smallint not null default 15,
    add column operations text not null default 'off'
      check (operations in ('off', 'sums', 'lines'))`,
  'alter table deliveries add column draft_settings jsonb',
  `create table message_operations (
    user_id uuid not null,
    messenger_id uuid not null,
    due_at timestamptz not null,
    scheduled_at timestamptz not null,
    accounts jsonb not null default '[]',
    sealed text,
    prints jsonb,
    primary key (user_id, messenger_id),
    foreign key (user_id, messenger_id) references messengers (user_id, id) on delete cascade
  )`,
  `create index message_operations_sealed on message_operations (due_at) where sealed is not null`,
  `create table operation_prints (
    user_id uuid not null,
    messenger_id uuid not null,
    print text not null,
    read_at timestamptz not null,
    is_told boolean not null,
    primary key (user_id, messenger_id, print),
    foreign key (user_id, messenger_id) references messengers (user_id, id) on delete cascade
  )`,
  'create index operation_prints_age on operation_prints (read_at)',
  `create index messengers_operations on messengers (slot_id, user_id)
    where operations <> 'off' and variables`,
];
