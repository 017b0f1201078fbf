import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Cursor } from './queries.ts';

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

/** Stricter than `Date` and than a look at a UUID: the database would refuse the rest with a fault. */
const writtenMoment = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const writtenId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
