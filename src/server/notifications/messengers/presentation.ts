import type { Delivery } from '../../../shared/contract/deliveries.ts';
import type { Hour, Messenger } from '../../../shared/contract/messengers.ts';
import { presentDelivery } from '../deliveries/queries.ts';
import { reasonOf } from '../deliveries/reasons.ts';
import { handleOf } from '../destinations/handle.ts';
import { localDateAt } from '../schedule/next-sending.ts';
import { daysOf } from '../schedule/rest.ts';
import { scheduleOf } from './planning.ts';
import type { MessengerRow } from './queries.ts';
import { rememberUpcoming } from './upcoming.ts';

/** A stored notification as its owner sees it: no column of the table leaves by itself. */
export function presentMessenger(row: MessengerRow, now: Date): Messenger {
  const schedule = scheduleOf(row);
  const planned = { nextAt: row.next_at, plannedOn: row.planned_on };
  const { offset, dates } = upcomingOf(schedule, planned, now);
  return {
    id: row.id,
    slackTeamName: row.team_name,
    slackChannel: row.channel_id,
    slackChannelName: row.channel_name,
    slackBotToken: handleOf(row.workspace_id),
    message: row.message,
    createDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    hour: {
      hours: row.hours,
      minutes: row.minutes as Hour['minutes'],
      timeZone: offset,
      zone: row.zone,
    },
    nextDate: row.next_at?.toISOString() ?? null,
    nextDates: dates,
    days: daysOf(row.days),
    pausedUntil: pausedUntilOf(row, now),
    stopped: row.stopped,
    holidays: schedule.holidays ?? null,
    accounts: {
      scope: row.account_scope,
      chosen: row.chosen_accounts ?? [],
      includesNew: row.includes_new,
    },
    connected: row.workspace_state === 'connected',
    pause: presentPause(row),
    lastDelivery: presentLastDelivery(row),
  };
}

function pausedUntilOf(row: MessengerRow, now: Date): string | null {
  const { paused_until: until } = row;
  return until !== null && until > localDateAt(scheduleOf(row), now) ? until : null;
}

/** Depends on its arguments alone, so one memory serves every request. */
const upcomingOf = rememberUpcoming();

function presentPause(row: MessengerRow): Messenger['pause'] {
  if (!row.paused_at || !row.paused_reason) return null;
  const { sentence, action } = reasonOf(row.paused_reason);
  return { reason: row.paused_reason, sentence, action, since: row.paused_at.toISOString() };
}

function presentLastDelivery(row: MessengerRow): Delivery | null {
  if (!row.last_id || !row.last_kind || !row.last_due_at || !row.last_outcome) return null;
  return presentDelivery({
    id: row.last_id,
    messenger_id: row.id,
    kind: row.last_kind,
    due_at: row.last_due_at,
    sent_at: row.last_sent_at,
    outcome: row.last_outcome,
    resends: row.last_resends ?? 0,
    reason: row.last_reason,
    channel_name: row.last_channel_name,
  });
}
