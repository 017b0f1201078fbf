import type { Selectable } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../../../shared/calendar/durations.ts';
import { addDays, type LocalZone } from '../../../shared/calendar/local-date.ts';
import { isRegion, type Region } from '../../../shared/calendar/regions.ts';
import { knownZoneName, localDateAt, zoneName } from '../../../shared/calendar/wall-clock.ts';
import { maxClockSkewMs } from '../../platform/clock.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { holidayOn } from './holidays.ts';

/**
 * The wall-clock hour of a daily message, and its days. Exactly one of `zone` (IANA name) and
 * `offsetMinutes` (minutes east of UTC, in summer and winter) is set. Without the optional fields, it
 * is sent every day.
 */
export interface Schedule extends LocalZone {
  hours: number;
  minutes: number;
  /** The days of the week that send, a bit each: Monday = 1 … Sunday = 64. */
  days?: number;
  /** The region whose public holidays send nothing. */
  holidays?: Region | null;
  /** The first day that sends again, YYYY-MM-DD. */
  pausedUntil?: string | null;
}

type Columns = Selectable<Schema['messengers']>;

/** The columns that hold the schedule of a slot. */
export type SlotColumns = Pick<
  Columns,
  'hours' | 'minutes' | 'zone' | 'offset_minutes' | 'days' | 'holidays'
>;

/** Those of a notification: pauses are its own. */
export type ScheduleColumns = SlotColumns & Pick<Columns, 'paused_until'>;

/** What tells when a notification sends next, with its slot's next sending and its last delivery. */
export type PlannedColumns = ScheduleColumns &
  Pick<
    Columns,
    'channel_id' | 'message' | 'paused_at' | 'stopped' | 'planned_on' | 'active_since'
  > & {
    slot_next_at: Date;
    /** The day and the moment of its last daily delivery. */
    last_date: string | null;
    due_at: Date | null;
  };

/** Whether it sends at all: it is complete and not paused. */
export function isActive(
  row: Pick<Columns, 'channel_id' | 'message' | 'paused_at' | 'stopped'>,
): boolean {
  return row.channel_id !== null && row.message !== '' && !row.paused_at && !row.stopped;
}

/**
 * When a notification sends next, null while it is incomplete or paused. It is in the past when its
 * sending is due and was not claimed yet. A moment and a day that have not come were written by a clock
 * that ran ahead, and do not count.
 */
export function nextOf(row: PlannedColumns, now: Date): Sending | null {
  if (!isActive(row)) return null;
  const schedule = scheduleOf(row);
  const { active_since: activeSince, planned_on: plannedOn } = row;
  const isAhead = activeSince.getTime() > now.getTime() + maxClockSkewMs;
  const slotAt = row.slot_next_at.getTime() - 1;
  const since = isAhead ? slotAt : Math.max(activeSince.getTime(), slotAt);
  const tomorrow = localDateAt(new Date(now.getTime() + dayMs), schedule);
  const isPlanned = plannedOn !== null && plannedOn <= tomorrow;
  const next = nextSending(schedule, new Date(since), isPlanned ? plannedOn : null);
  // Of a sending that is being claimed, some notifications have their delivery already.
  const isClaimed = next.localDate === row.last_date && row.due_at !== null && row.due_at <= now;
  return isClaimed ? nextSending(schedule, next.at, next.localDate) : next;
}

/** A daily message that is later than this is not sent any more. */
export const uselessAfterMs = 6 * hourMs;

/** A message that is later than this says so. */
export const lateAfterMs = 60_000;

export function scheduleOf(row: SlotColumns & Partial<ScheduleColumns>): Schedule {
  return {
    hours: row.hours,
    minutes: row.minutes,
    zone: row.zone,
    offsetMinutes: row.offset_minutes,
    days: row.days,
    holidays: row.holidays !== null && isRegion(row.holidays) ? row.holidays : null,
    pausedUntil: row.paused_until ?? null,
  };
}

export interface Sending {
  at: Date;
  /** The day it counts for, YYYY-MM-DD in the schedule's zone, also when a gap moves the hour. */
  localDate: string;
}

/**
 * The first sending strictly after `after`, on a day later than `notOnOrBefore` (YYYY-MM-DD) that is
 * not a day of rest. An hour that a clock change skips moves forward by the gap, and of an hour that
 * exists twice the first counts: RFC 5545 §3.3.5, Temporal's disambiguation `compatible`.
 */
export function nextSending(
  schedule: Schedule,
  after: Date,
  notOnOrBefore: string | null = null,
): Sending {
  const zone = zoneName(schedule);
  let day = firstCandidate(
    localDateAt(after, schedule),
    notOnOrBefore,
    schedule.pausedUntil ?? null,
  );
  for (;;) {
    if (!restsOn(schedule, day)) {
      const at = day
        .toPlainDateTime({ hour: schedule.hours, minute: schedule.minutes })
        .toZonedDateTime(zone).epochMilliseconds;
      if (at > after.getTime()) return { at: new Date(at), localDate: day.toString() };
    }
    day = day.add({ days: 1 });
  }
}

/** `count` sendings, beginning with `first`. */
export function sendingsFrom(schedule: Schedule, first: Sending, count: number): Sending[] {
  const sendings = [first];
  for (let last = first; sendings.length < count; ) {
    last = nextSending(schedule, last.at, last.localDate);
    sendings.push(last);
  }
  return sendings;
}

/** The offset in force at `at`, as ±HHMM; that of Paris in a zone that this machine does not know. */
export function offsetAt(localZone: LocalZone, at: Date): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime());
  const { offset } = instant.toZonedDateTimeISO(knownZoneName(localZone));
  return offset.slice(0, 6).replace(':', '');
}

/** ±HHMM, from -1200 to +1400, in minutes east of UTC; null for anything else. */
export function parseOffset(text: string): number | null {
  const match = /^([+-])(\d\d)([0-5]\d)$/.exec(text);
  if (!match) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  const signed = match[1] === '-' && minutes > 0 ? -minutes : minutes;
  return signed >= -720 && signed <= 840 ? signed : null;
}

/** Whether this machine knows a zone by this name. */
export function isKnownZone(name: string): boolean {
  return nameOfZone(name) !== null;
}

/**
 * An IANA name in its own capitals ("Europe/Paris" for "europe/paris"); null for one that this machine does
 * not know, and for an offset such as "+01:00".
 */
export function nameOfZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** The bits of all seven days of the week, which is the default. */
export const everyDay = 127;

/** Days of the week as in the API, 1 Monday … 7 Sunday, to the stored bits. */
export function maskOf(days: number[]): number {
  return days.reduce((mask, day) => mask | (1 << (day - 1)), 0);
}

export function daysOf(mask: number): number[] {
  return [1, 2, 3, 4, 5, 6, 7].filter((day) => (mask & (1 << (day - 1))) !== 0);
}

/** Not before yesterday, whose hour may still come: a gap at midnight moves it into today. */
function firstCandidate(
  today: string,
  notOnOrBefore: string | null,
  pausedUntil: string | null,
): Temporal.PlainDate {
  const yesterday = addDays(today, -1);
  const dayAfter = notOnOrBefore === null ? yesterday : addDays(notOnOrBefore, 1);
  const [latest = yesterday] = [yesterday, dayAfter, pausedUntil ?? yesterday].sort().reverse();
  return Temporal.PlainDate.from(latest);
}

function restsOn({ days = everyDay, holidays = null }: Schedule, day: Temporal.PlainDate): boolean {
  if (days !== everyDay && (days & (1 << (day.dayOfWeek - 1))) === 0) return true;
  return holidays !== null && holidayOn(day.toString(), holidays) !== null;
}
