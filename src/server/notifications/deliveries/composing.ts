import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import type { Capacity } from '../../../shared/message/capacity.ts';
import { dayAndMonth, hourAndMinute } from '../../../shared/message/days.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import { hasVariable, hasVariables } from '../../../shared/message/variables.ts';
import type { OutgoingMessage } from '../../providers/chats/posting.ts';
import type { NotificationsDeps } from '../deps.ts';
import { readData, type StoredData } from '../messages/queries.ts';
import type { Attempt, ClaimedDelivery } from './attempt.ts';
import type { DeliverySettings } from './settings.ts';

/**
 * What is posted at `now`: a text without variables as it is, or one with its variables filled in, as
 * blocks. A daily message that is late says so in a last line (French). `capacity` is the chat's.
 */
export function compose(
  attempt: Pick<Attempt, 'text' | 'data' | 'kind' | 'dueAt' | 'zone' | 'offsetMinutes'>,
  now: Date,
  { lateAfterMs }: Pick<DeliverySettings, 'lateAfterMs'>,
  capacity?: Capacity,
): Pick<OutgoingMessage, 'text' | 'blocks'> {
  const { text, data, kind, dueAt, zone, offsetMinutes } = attempt;
  const localZone = { zone, offsetMinutes };
  const isLate = kind === 'daily' && now.getTime() - dueAt.getTime() > lateAfterMs;
  const late = isLate ? lateLine(dueAt, now, localZone) : null;
  if (!data) return { text: late ? `${text}\n${late}` : text };
  const blocks = renderMessage(text, { ...data, now, localZone }, capacity);
  if (late) blocks.push({ type: 'context', text: late });
  return { text: textOf(blocks), blocks };
}

/** The values of variables, by delivery. Reads nothing for texts without variables. */
export async function readDataOf(
  { database }: Pick<NotificationsDeps, 'database'>,
  deliveries: ClaimedDelivery[],
): Promise<Map<string, StoredData>> {
  const filled = deliveries.filter(
    (row) => row.variables ?? (row.kind === 'test' && hasVariables(row.text)),
  );
  const data = await readData(
    database.sql,
    filled.map(({ userId, messengerId, draftAccounts, text }) => ({
      ...{ userId, messengerId, chosen: draftAccounts },
      withPrevious: hasVariable(text, 'variation'),
    })),
  );
  return new Map(filled.flatMap(({ id }, index) => (data[index] ? [[id, data[index]]] : [])));
}

function lateLine(dueAt: Date, now: Date, localZone: LocalZone): string {
  const due = dayAndMonth(dueAt, localZone);
  const day = due === dayAndMonth(now, localZone) ? '' : `le ${due} `;
  return `Message prévu ${day}à ${hourAndMinute(dueAt, localZone)}, envoyé à ${hourAndMinute(now, localZone)}.`;
}
