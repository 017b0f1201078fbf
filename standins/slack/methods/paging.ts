import { text } from '../request.ts';

/** One page of a list. The cursor is opaque to callers: base64 of the next position. */
export function cutPage<T>(
  items: T[],
  args: Record<string, unknown>,
  kind: string,
): { items: T[]; next: string } | { error: 'invalid_limit' | 'invalid_cursor' } {
  const asked = text(args, 'limit');
  const limit = asked === '' || asked === '0' ? 100 : Number(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit >= 1000) return { error: 'invalid_limit' };
  const start = readCursor(text(args, 'cursor'), kind);
  if (start === null) return { error: 'invalid_cursor' };
  const end = start + limit;
  const next = end < items.length ? writeCursor(end, kind) : '';
  return { items: items.slice(start, end), next };
}

function writeCursor(position: number, kind: string): string {
  return Buffer.from(`${kind}:${position}`).toString('base64');
}

function readCursor(cursor: string, kind: string): number | null {
  if (cursor === '') return 0;
  const [name, position] = Buffer.from(cursor, 'base64').toString().split(':');
  return name === kind && /^\d+$/.test(position ?? '') ? Number(position) : null;
}
