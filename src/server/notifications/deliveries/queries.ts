import { type Selectable, sql } from 'kysely';
import type { Delivery } from '../../../shared/contract/deliveries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatProvider } from '../../providers/chats/port.ts';
import { reasonOf } from './reasons.ts';
import { deliverySettings } from './settings.ts';

/** The columns that people see. */
const shownColumns = [
  ...(['id', 'kind', 'due_at', 'sent_at', 'outcome', 'reason', 'resends'] as const),
  'channel_name',
] as const;

export type DeliveryRow = Pick<Selectable<Schema['deliveries']>, (typeof shownColumns)[number]>;

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
    lateSeconds: lateMs > deliverySettings.lateAfterMs ? Math.floor(lateMs / 1000) : null,
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

/** The end of a page: what comes after it is older. */
export interface Cursor {
  dueAt: Date;
  id: string;
}

/** Up to `count` deliveries of one messenger, newest first, older than `before`. */
export async function listDeliveries(
  { sql: database }: Platform['database'],
  ownerId: string,
  messengerId: string,
  { before, count }: { before: Cursor | null; count: number },
): Promise<DeliveryRow[]> {
  let page = database
    .selectFrom('deliveries')
    .select(shownColumns)
    .where('user_id', '=', ownerId)
    .where('messenger_id', '=', messengerId)
    .orderBy('due_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count);
  if (before) {
    page = page.where(sql<boolean>`(due_at, id) < (${before.dueAt}, ${before.id}::uuid)`);
  }
  return page.execute();
}

/** Opaque to clients: they give back what they were given. */
export function writeCursor({ due_at, id }: { due_at: Date; id: string }): string {
  return Buffer.from(`${due_at.toISOString()} ${id}`).toString('base64url');
}

/** Throws `Invalid_Request` for anything that was not written here. */
export function readCursor(text: string): Cursor {
  const [moment = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  const dueAt = new Date(writtenMoment.test(moment) ? moment : Number.NaN);
  if (Number.isNaN(dueAt.getTime()) || !writtenId.test(id))
    throw new ApiError(httpErrors.Invalid_Request);
  return { dueAt, id };
}

/** Stricter than `Date` and than a UUID has to be: the database would refuse the rest with a fault. */
const writtenMoment = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const writtenId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
