import { type Kysely, sql } from 'kysely';

/**
 * A notification may carry a chart of its total, where its chat draws one. How many questions a team
 * of a chat has asked: `free_at` is when none of them counts any more. And when the try of a delivery
 * began whose answer was lost, which a later try that posted nothing does not change.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table deliveries add column lost_at timestamptz',
  'alter table messengers add column chart boolean not null default false',
  `create table chat_questions (
    chat text not null,
    team_id text not null,
    free_at timestamptz not null,
    primary key (chat, team_id)
  )`,
];
