import { type Kysely, sql } from 'kysely';

/** Which channels several notifications share: only there must workers take turns. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table messengers add column channel_shared boolean not null default false',
  `update messengers m set channel_shared = true
    from workspaces w, (
      select w.team_id, m.channel_id from messengers m
      join workspaces w on w.user_id = m.user_id and w.id = m.workspace_id
      where m.channel_id is not null group by 1, 2 having count(*) > 1
    ) shared
    where w.user_id = m.user_id and w.id = m.workspace_id
      and w.team_id = shared.team_id and m.channel_id = shared.channel_id`,
];
