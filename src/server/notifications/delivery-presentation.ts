import type { Selectable } from 'kysely';
import type { Delivery } from '../../shared/contract/deliveries.ts';
import type { Schema } from '../platform/database/schema.ts';
import type { ChatProvider } from '../providers/chats/port.ts';
import { reasonOf } from './reasons.ts';
import { lateAfterMs } from './schedule/next-sending.ts';

/** Of a delivery, what people see. */
export type DeliveryRow = Pick<
  Selectable<Schema['deliveries']>,
  'id' | 'kind' | 'due_at' | 'sent_at' | 'outcome' | 'reason' | 'resends' | 'channel_name'
>;

/**
 * A row as people see it. A delivery that is still being tried says nothing of its first trouble. `next`
 * says when its notification sends again.
 */
export function presentDelivery(
  chat: ChatProvider | undefined,
  row: DeliveryRow,
  next?: string,
): Delivery {
  const lateMs = row.sent_at ? row.sent_at.getTime() - row.due_at.getTime() : 0;
  return {
    id: row.id,
    kind: row.kind,
    dueDate: row.due_at.toISOString(),
    sentDate: row.sent_at?.toISOString() ?? null,
    outcome: row.outcome,
    lateSeconds: lateMs > lateAfterMs ? Math.floor(lateMs / 1000) : null,
    resends: row.resends,
    reason: sentenceOf(chat, row, next),
    channelName: row.channel_name,
  };
}

function sentenceOf(
  chat: ChatProvider | undefined,
  { kind, outcome, reason }: Pick<DeliveryRow, 'kind' | 'outcome' | 'reason'>,
  next: string | undefined,
): string | null {
  if (outcome === 'delivered' && !reason) return chat?.words.accepted ?? null;
  return reason && outcome !== 'pending' ? reasonOf(chat, reason, kind, next).sentence : null;
}
