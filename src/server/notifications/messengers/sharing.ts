import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Notes whether others post into the channel that a notification has just been given, there too.
 * One that is being saved at this moment is passed over: it looks by itself.
 */
export async function noteSharing(
  transaction: Transaction<Schema>,
  ownerId: string,
  id: string,
): Promise<void> {
  await sql`
    with mine as (
      select w.team_id, m.channel_id from messengers m
      join workspaces w on w.user_id = m.user_id and w.id = m.workspace_id
      where m.user_id = ${ownerId} and m.id = ${id}
    ), others as materialized (
      select m.user_id, m.id from mine
      join workspaces w on w.team_id = mine.team_id
      join messengers m on m.user_id = w.user_id and m.workspace_id = w.id
        and m.channel_id = mine.channel_id
      where (m.user_id, m.id) <> (${ownerId}::uuid, ${id}::uuid)
    ), free as materialized (
      select user_id, id from messengers m
      where (user_id, id) in (select user_id, id from others) and not channel_shared
      for no key update skip locked
    )
    update messengers m set channel_shared = exists (select from others)
    where (m.user_id, m.id) = (${ownerId}::uuid, ${id}::uuid)
      or (m.user_id, m.id) in (select user_id, id from free)`.execute(transaction);
}
