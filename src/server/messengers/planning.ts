import type { Selectable, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Schema } from '../database/schema.ts';
import { nextSending } from '../schedule/next-sending.ts';

type Plannable = Pick<
  Selectable<Schema['messengers']>,
  | 'channel_id'
  | 'message'
  | 'paused_at'
  | 'hours'
  | 'minutes'
  | 'zone'
  | 'offset_minutes'
  | 'planned_on'
>;

/** The next sending, UTC: null while a channel or a text is missing, or while it is paused. */
export function nextAtOf(messenger: Plannable, now: Date): Date | null {
  if (!messenger.channel_id || !messenger.message || messenger.paused_at) return null;
  return nextSending(hourOf(messenger), now, messenger.planned_on).at;
}

export function hourOf(
  messenger: Pick<Plannable, 'hours' | 'minutes' | 'zone' | 'offset_minutes'>,
): { hours: number; minutes: number; zone: string | null; offsetMinutes: number | null } {
  const { hours, minutes, zone, offset_minutes: offsetMinutes } = messenger;
  return { hours, minutes, zone, offsetMinutes };
}

/** Plans again what was paused in a workspace: called when the workspace works again. */
export async function resumeWorkspace(
  transaction: Transaction<Schema>,
  clock: Clock,
  ownerId: string,
  workspaceId: string,
): Promise<void> {
  const now = clock.now();
  const paused = await transaction
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('workspace_id', '=', workspaceId)
    .where('paused_at', 'is not', null)
    .forUpdate()
    .execute();
  for (const messenger of paused) {
    await transaction
      .updateTable('messengers')
      .set({
        paused_at: null,
        paused_reason: null,
        next_at: nextAtOf({ ...messenger, paused_at: null }, now),
      })
      .where('user_id', '=', ownerId)
      .where('id', '=', messenger.id)
      .execute();
  }
}
