import { type Kysely, sql } from 'kysely';

/**
 * Rows say which chat they belong to: all that there are belong to Slack. What was a workspace is a
 * destination, of any chat. Tables and columns are renamed and none is rewritten but `chat_limits`,
 * whose rows live for seconds. Sealed values keep the additional data they were sealed with.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table workspaces rename to destinations',
  'alter table destinations rename constraint workspaces_pkey to destinations_pkey',
  'alter table destinations rename column sealed_token to sealed_secret',
  // The default fills the rows that there are, without writing them; a new row must say its chat.
  `alter table destinations add column chat text not null default 'slack',
    add column channel_id text, add column channel_name text`,
  'alter table destinations alter column chat drop default',
  'drop index workspaces_team',
  `create unique index destinations_team on destinations (user_id, chat, team_id)
    where state <> 'pending'`,
  'drop index workspaces_by_team',
  'create index destinations_by_team on destinations (chat, team_id)',

  'alter table workspace_authorizations rename to destination_authorizations',
  `alter table destination_authorizations
    rename constraint workspace_authorizations_pkey to destination_authorizations_pkey`,
  `alter table destination_authorizations add column chat text not null default 'slack'`,
  'alter table destination_authorizations alter column chat drop default',

  'alter table messengers rename column workspace_id to destination_id',
  'alter index messengers_workspace rename to messengers_destination',

  'alter table deliveries rename column chat_ts to receipt',

  'alter table deletion_chats rename column sealed_token to sealed_secret',
  `alter table deletion_chats add column chat text not null default 'slack'`,
  'alter table deletion_chats alter column chat drop default',

  'alter table chat_limits rename to old_chat_limits',
  `create table chat_limits (
    chat text not null,
    scope text not null check (scope in ('service', 'team', 'channel', 'turn')),
    team_id text not null,
    channel_id text not null,
    blocked_until timestamptz not null,
    primary key (chat, scope, team_id, channel_id)
  )`,
  `insert into chat_limits (chat, scope, team_id, channel_id, blocked_until)
    select 'slack', case method when 'post' then 'team' else 'turn' end, team_id,
      case method when 'post' then '' else substr(method, length('channel ') + 1) end, blocked_until
    from old_chat_limits`,
  'drop table old_chat_limits',
  // After the drop, which sets the name free.
  'alter table chat_limits rename constraint chat_limits_pkey1 to chat_limits_pkey',
];
