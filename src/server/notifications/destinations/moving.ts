import { inTransaction } from '../../platform/database/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatKind, ChatMove } from '../../providers/chats/port.ts';

/**
 * A chat gave a channel another id: the destinations of all users that lead there, and the notifications
 * that post there, follow.
 */
export async function followMove(
  { database }: Pick<Platform, 'database'>,
  chat: ChatKind,
  { from, to }: Pick<ChatMove, 'from' | 'to'>,
): Promise<void> {
  await inTransaction(database.sql, async (transaction) => {
    const destinations = await transaction
      .selectFrom('destinations')
      .select(['user_id', 'id'])
      .where('chat', '=', chat)
      .where('team_id', '=', from.teamId)
      .orderBy('user_id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    for (const { user_id, id } of destinations) {
      await transaction
        .updateTable('destinations')
        .set({ channel_id: to.channelId })
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        .where('channel_id', '=', from.channelId)
        .execute();
      await transaction
        .updateTable('messengers')
        .set({ channel_id: to.channelId })
        .where('user_id', '=', user_id)
        .where('destination_id', '=', id)
        .where('channel_id', '=', from.channelId)
        .execute();
    }
    // A user who has linked the new id too keeps both destinations.
    await transaction
      .updateTable('destinations as d')
      .set({ team_id: to.teamId })
      .where('d.chat', '=', chat)
      .where('d.team_id', '=', from.teamId)
      .where('d.channel_id', '=', to.channelId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('destinations as other')
              .select('other.id')
              .whereRef('other.user_id', '=', 'd.user_id')
              .whereRef('other.chat', '=', 'd.chat')
              .where('other.team_id', '=', to.teamId)
              .where('other.state', '<>', 'pending'),
          ),
        ),
      )
      .execute();
  });
}
