import { Refusal } from '../errors/refusal.ts';
import type { Cursor } from './queries.ts';

/** Opaque to clients: they give back what they were given. */
export function writeCursor({ due_at, id }: { due_at: Date; id: string }): string {
  return Buffer.from(`${due_at.toISOString()} ${id}`).toString('base64url');
}

/** Throws `Invalid_Request` for anything that was not written here. */
export function readCursor(text: string): Cursor {
  const [moment = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  const dueAt = new Date(moment);
  if (Number.isNaN(dueAt.getTime()) || !/^[0-9a-f-]{36}$/.test(id)) {
    throw new Refusal('Invalid_Request');
  }
  return { dueAt, id };
}
