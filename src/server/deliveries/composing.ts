import { Temporal } from 'temporal-polyfill';
import { renderMessage, textOf } from '../../shared/message/render.ts';
import type { OutgoingMessage } from '../providers/chat.ts';
import { zoneOf } from '../schedule/next-sending.ts';
import type { Attempt } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

type Composed = Pick<OutgoingMessage, 'text' | 'blocks'>;

/**
 * What is posted at `now`: a text alone as it is, one with variables filled in and drawn, and when it
 * is late a last line that says so (in French).
 */
export function compose(
  attempt: Pick<Attempt, 'text' | 'data' | 'kind' | 'dueAt' | 'zone' | 'offsetMinutes'>,
  now: Date,
  { lateAfterMs }: Pick<DeliveryLimits, 'lateAfterMs'>,
): Composed {
  const isLate = now.getTime() - attempt.dueAt.getTime() > lateAfterMs;
  const late = isLate && attempt.kind === 'daily' ? lateLine(attempt, now) : null;
  if (!attempt.data) return { text: late ? `${attempt.text}\n${late}` : attempt.text };
  const { zone, offsetMinutes, data } = attempt;
  const place = { zone, offsetMinutes };
  const blocks = renderMessage(attempt.text, { ...data, now, place });
  if (late) blocks.push({ type: 'context', text: late });
  return { text: textOf(blocks), blocks };
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
