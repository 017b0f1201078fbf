import { sql } from 'kysely';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { DeliveryRow } from '../delivery-presentation.ts';

/** The end of a page: what comes after it is older. */
export interface Cursor {
  dueAt: Date;
  id: string;
}

/** Up to `count` deliveries of one messenger, newest first, older than `before`. */
export async function listDeliveries(
  { sql: database }: Platform['database'],
  userId: string,
  messengerId: string,
  { before, count }: { before: Cursor | null; count: number },
): Promise<DeliveryRow[]> {
  let page = database
    .selectFrom('deliveries')
    .select(['id', 'kind', 'due_at', 'sent_at', 'outcome', 'reason', 'resends', 'channel_name'])
    .where('user_id', '=', userId)
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
/** In lower case alone, as the database writes it: `isUuid` takes capitals too. */
const writtenId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
