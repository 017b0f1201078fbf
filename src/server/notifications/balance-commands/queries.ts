import { sql } from 'kysely';
import type { Platform } from '../../platform/platform.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import type { SealedSecret } from '../destinations/queries.ts';
import type { ScheduleColumns } from '../schedule/next-sending.ts';
import { activeMessenger } from '../schedule/slots.ts';

/** A notification that has posted in the channel where somebody asks. */
export interface AnsweringMessenger extends SealedSecret, ScheduleColumns {
  messenger_id: string;
  message: string;
}

interface TeamChannel {
  chat: ChatKind;
  teamId: string;
  channelId: string;
}

/**
 * The notifications, of any user, that may answer in a channel: with variables, not stopped nor paused
 * by a failure, in a destination that works, and of which a daily message has arrived in this channel.
 */
export async function findAnsweringMessengers(
  { database }: Pick<Platform, 'database'>,
  { chat, teamId, channelId }: TeamChannel,
): Promise<AnsweringMessenger[]> {
  const { rows } = await sql<AnsweringMessenger>`
    select dest.user_id, dest.id, dest.sealed_secret, m.id as messenger_id, m.message, m.hours,
      m.minutes, m.zone, m.offset_minutes, m.days, m.holidays, m.paused_until
    from destinations dest
    join messengers m on m.user_id = dest.user_id and m.destination_id = dest.id
    where dest.chat = ${chat} and dest.team_id = ${teamId} and dest.state = 'connected'
      and m.channel_id = ${channelId} and m.variables and ${activeMessenger}
      and exists (select from deliveries d where d.user_id = m.user_id and d.messenger_id = m.id
        and d.kind = 'daily' and d.outcome = 'delivered' and d.channel_id = m.channel_id)
    order by m.created_at, m.id limit ${maxAnswering}`.execute(database.sql);
  return rows;
}

/** More notifications of one channel would not fit into an answer. */
const maxAnswering = 10;

/** A command every two seconds, twenty at once. */
const stepSeconds = 2;
const burst = 20;

/** Counts a command of a team, for all processes together. False when there were too many. */
export async function allowCommand(
  { database }: Pick<Platform, 'database'>,
  { chat, teamId }: Pick<TeamChannel, 'chat' | 'teamId'>,
): Promise<boolean> {
  const step = sql`make_interval(secs => ${stepSeconds}::int)`;
  const { rows } = await sql`
    insert into chat_questions as q (chat, team_id, free_at)
    values (${chat}, ${teamId}, now() + ${step})
    on conflict (chat, team_id) do update set free_at = greatest(q.free_at, now()) + ${step}
      where q.free_at - now() <= ${step} * ${burst - 1}
    returning chat`.execute(database.sql);
  return rows.length > 0;
}

export async function removeExpiredCommandLimits({
  database,
}: Pick<Platform, 'database'>): Promise<void> {
  await sql`delete from chat_questions where free_at < now()`.execute(database.sql);
}
