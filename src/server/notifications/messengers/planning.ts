import type { Selectable, Transaction } from 'kysely';
import { isRegion } from '../../../shared/calendar/regions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { nextSending, type Schedule } from '../schedule/next-sending.ts';

type Row = Selectable<Schema['messengers']>;

/** What a notification's row says about its hour and its days of rest. */
export type ScheduleColumns = Pick<
  Row,
  'hours' | 'minutes' | 'zone' | 'offset_minutes' | 'days' | 'holidays' | 'paused_until'
>;

type Plannable = ScheduleColumns &
  Pick<Row, 'channel_id' | 'message' | 'paused_at' | 'stopped' | 'planned_on'>;

/** The next sending, UTC: null while a channel or a text is missing, or while it is paused. */
export function nextAtOf(messenger: Plannable, now: Date): Date | null {
  if (!messenger.channel_id || !messenger.message) return null;
  if (messenger.paused_at || messenger.stopped) return null;
  return nextSending(scheduleOf(messenger), now, messenger.planned_on).at;
}

/** The hour and the days of rest as the schedule takes them. */
export function scheduleOf(row: ScheduleColumns): Schedule {
  return {
    hours: row.hours,
    minutes: row.minutes,
    zone: row.zone,
    offsetMinutes: row.offset_minutes,
    days: row.days,
    holidays: row.holidays !== null && isRegion(row.holidays) ? row.holidays : null,
    pausedUntil: row.paused_until,
  };
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
