import { Temporal } from 'temporal-polyfill';
import { zoneOf } from '../schedule/next-sending.ts';
import type { Attempt } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

/** What is posted at `now`: the text, and when it is late a last line that says so (in French). */
export function composeText(
  attempt: Pick<Attempt, 'text' | 'kind' | 'dueAt' | 'zone' | 'offsetMinutes'>,
  now: Date,
  { lateAfterMs }: Pick<DeliveryLimits, 'lateAfterMs'>,
): string {
  const late = now.getTime() - attempt.dueAt.getTime() > lateAfterMs;
  return late && attempt.kind === 'daily'
    ? `${attempt.text}\n${lateLine(attempt, now)}`
    : attempt.text;
}

function lateLine(attempt: Pick<Attempt, 'dueAt' | 'zone' | 'offsetMinutes'>, now: Date): string {
  const due = localTime(attempt, attempt.dueAt);
  const sent = localTime(attempt, now);
  const sameDay = due.toPlainDate().equals(sent.toPlainDate());
  const day = sameDay ? '' : `le ${frenchDay(due)} `;
  return `Message prévu ${day}à ${hourAndMinute(due)}, envoyé à ${hourAndMinute(sent)}.`;
}

function localTime(
  hour: Pick<Attempt, 'zone' | 'offsetMinutes'>,
  at: Date,
): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zoneOf(hour));
}

function hourAndMinute(at: Temporal.ZonedDateTime): string {
  return at.toPlainTime().toString({ smallestUnit: 'minute' });
}

function frenchDay(at: Temporal.ZonedDateTime): string {
  return at.day === 1 ? `1er ${months[at.month - 1]}` : `${at.day} ${months[at.month - 1]}`;
}

const months = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
];
