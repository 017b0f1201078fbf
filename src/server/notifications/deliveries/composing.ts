import type { Capacity } from '../../../shared/message/capacity.ts';
import { dayAndMonth, hourAndMinute } from '../../../shared/message/days.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import type { OutgoingMessage } from '../../providers/chats/port.ts';
import type { Attempt } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

type Composed = Pick<OutgoingMessage, 'text' | 'blocks'>;

/**
 * What is posted at `now`: a text alone as it is, one with variables filled in and drawn, and when it
 * is late a last line that says so (in French). The chat takes no more than its `capacity`.
 */
export function compose(
  attempt: Pick<Attempt, 'text' | 'data' | 'kind' | 'dueAt' | 'zone' | 'offsetMinutes'>,
  now: Date,
  { lateAfterMs }: Pick<DeliveryLimits, 'lateAfterMs'>,
  capacity?: Capacity,
): Composed {
  const isLate = now.getTime() - attempt.dueAt.getTime() > lateAfterMs;
  const late = isLate && attempt.kind === 'daily' ? lateLine(attempt, now) : null;
  if (!attempt.data) return { text: late ? `${attempt.text}\n${late}` : attempt.text };
  const { zone, offsetMinutes, data } = attempt;
  const localZone = { zone, offsetMinutes };
  const blocks = renderMessage(attempt.text, { ...data, now, localZone }, capacity);
  if (late) blocks.push({ type: 'context', text: late });
  return { text: textOf(blocks), blocks };
}

function lateLine(
  { dueAt, zone, offsetMinutes }: Pick<Attempt, 'dueAt' | 'zone' | 'offsetMinutes'>,
  now: Date,
): string {
  const localZone = { zone, offsetMinutes };
  const due = dayAndMonth(dueAt, localZone);
  const day = due === dayAndMonth(now, localZone) ? '' : `le ${due} `;
  return `Message prévu ${day}à ${hourAndMinute(dueAt, localZone)}, envoyé à ${hourAndMinute(now, localZone)}.`;
}
