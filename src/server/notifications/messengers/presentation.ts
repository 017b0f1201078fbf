import { dayNumber, localDateAt } from '../../../shared/calendar/wall-clock.ts';
import type { Delivery } from '../../../shared/contract/deliveries.ts';
import type { Hour, Messenger } from '../../../shared/contract/messengers.ts';
import { dayAndMonth } from '../../../shared/message/days.ts';
import type { ChatProvider } from '../../providers/chats/port.ts';
import { presentDelivery } from '../delivery-presentation.ts';
import type { NotificationsDeps } from '../deps.ts';
import { destinationHandleOf } from '../destinations/destination-handle.ts';
import { attentionIn } from '../messages/attention.ts';
import { reasonOf } from '../reasons.ts';
import {
  daysOf,
  isActive,
  isKnownZone,
  nextOf,
  nextSending,
  offsetAt,
  type Schedule,
  scheduleOf,
  sendingsFrom,
} from '../schedule/next-sending.ts';
import type { MessengerRow } from './queries.ts';

/** A stored notification as its owner sees it: each field of the answer is named here. */
export function presentMessenger(
  { chats, clock }: Pick<NotificationsDeps, 'chats' | 'clock'>,
  row: MessengerRow,
): Messenger {
  const now = clock.now();
  const chat = chats.get(row.chat);
  const schedule = scheduleOf(row);
  const { offset, dates } = upcomingOf(schedule, row, now);
  const { paused_until: until } = row;
  return {
    id: row.id,
    chat: row.chat,
    chatName: chat?.name ?? row.chat,
    // One that is not offered any more has no list to choose from.
    channels: chat?.channels ?? 'one',
    drawing: chat?.drawing ?? 'table',
    ...(chat?.words.relink && { relinkLabel: chat.words.relink }),
    ...(chat?.words.phrase && { placePhrase: chat.words.phrase(row.team_name) }),
    slackTeamName: row.team_name,
    slackChannel: row.channel_id,
    slackChannelName: row.channel_name,
    slackBotToken: destinationHandleOf({ chat: row.chat, id: row.destination_id }),
    message: row.message,
    createDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    hour: {
      hours: row.hours,
      minutes: row.minutes as Hour['minutes'],
      timeZone: offset,
      zone: row.zone,
    },
    nextDate: dates[0] ?? null,
    nextDates: dates,
    days: daysOf(row.days),
    pausedUntil: until !== null && until > localDateAt(now, schedule) ? until : null,
    stopped: row.stopped,
    holidays: schedule.holidays ?? null,
    accounts: {
      scope: row.account_scope,
      chosen: row.chosen_accounts ?? [],
      includesNew: row.includes_new,
    },
    chart: chat?.charts ? row.chart : null,
    attention: attentionIn(row.attention),
    operations: row.operations,
    connected: row.destination_state === 'connected',
    pause: presentPause(chat, row),
    lastDelivery: presentLastDelivery(chat, row, nextDay(schedule, dates[0], now)),
  };
}

interface Upcoming {
  /** ±HHMM at the next sending, also while none is planned. */
  offset: string;
  /** The next five sendings, ISO 8601 UTC; none while none is planned. */
  dates: string[];
}

/**
 * Remembered by schedule, because reads come far more often than sendings. While a sending is
 * planned the answer depends on the arguments in the key alone; while none is, it holds until the
 * moment that its offset was computed for.
 */
function upcomingOf(schedule: Schedule, row: MessengerRow, now: Date): Upcoming {
  const { slot_next_at, active_since, planned_on, last_date, due_at } = row;
  const sends = isActive(row);
  // Only a moment after the slot's makes a difference.
  const since = active_since >= slot_next_at ? active_since : null;
  const isPast = due_at !== null && due_at <= now;
  const isOfSlot = last_date !== null && last_date >= localDateAt(slot_next_at, schedule);
  const lastDate = isPast && isOfSlot ? last_date : null;
  const key = JSON.stringify([schedule, sends && slot_next_at, since, planned_on, lastDate]);
  const known = remembered.get(key);
  const time = now.getTime();
  if (known && (sends || (known.from <= time && time < known.until))) return known;
  // Nothing is sent in a zone that this machine does not know, until it does.
  if (row.zone !== null && !isKnownZone(row.zone)) {
    return { offset: offsetAt(schedule, now), dates: [] };
  }
  const next = nextOf(row, now);
  const at = next?.at ?? nextSending(schedule, now).at;
  const dates = next ? sendingsFrom(schedule, next, 5).map((one) => one.at.toISOString()) : [];
  const upcoming = { offset: offsetAt(schedule, at), dates };
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, { ...upcoming, from: time, until: at.getTime() });
  return upcoming;
}

const remembered = new Map<string, Upcoming & { from: number; until: number }>();

const maxRemembered = 1000;

function presentPause(chat: ChatProvider | undefined, row: MessengerRow): Messenger['pause'] {
  if (!row.paused_at || !row.paused_reason) return null;
  const { sentence, action } = reasonOf(chat, row.paused_reason);
  return { reason: row.paused_reason, sentence, action, since: row.paused_at.toISOString() };
}

/** "demain", "le 26 novembre": not every day sends. */
function nextDay(schedule: Schedule, next: string | undefined, now: Date): string | undefined {
  if (next === undefined) return undefined;
  const at = new Date(next);
  const days = dayNumber(at, schedule) - dayNumber(now, schedule);
  if (days < 1) return "aujourd'hui";
  return days === 1 ? 'demain' : `le ${dayAndMonth(at, schedule)}`;
}

function presentLastDelivery(
  chat: ChatProvider | undefined,
  row: MessengerRow,
  next: string | undefined,
): Delivery | null {
  const { delivery_id: id, kind, due_at, outcome, resends, delivery_channel_name } = row;
  if (!id || !kind || !due_at || !outcome || resends === null) return null;
  const { sent_at, reason } = row;
  const delivery = { id, kind, due_at, sent_at, outcome, resends, reason };
  return presentDelivery(chat, { ...delivery, channel_name: delivery_channel_name }, next);
}
