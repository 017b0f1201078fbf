import { BridgeRefusal, type BridgeState, turn } from './bridge-state.ts';
import type { Raw } from './bridge-world.ts';
import type { Answered, Asked } from './listening.ts';

/** How many pages are short before the server gives as many rows as were asked for. */
const shortPages = 18;

/**
 * First pages of two whatever `limit` says, a `next_uri` that is a path whose cursor needs its escapes,
 * and an end told in turn by the text "null", by null, by a missing key and by no pagination.
 */
export function listAnswer(state: BridgeState, asked: Asked, rows: Raw[]): Answered {
  const limit = Number(asked.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) {
    throw new BridgeRefusal(400, 'invalid_parameter', 'limit');
  }
  const start = positionOf(asked.query.get('after'));
  const resources = rows.slice(start, start + pageSizeOf(state, limit));
  const end = start + resources.length;
  const body = { resources, generated_at: '2024-11-21T16:35:16.846Z' };
  return {
    status: 200,
    body: JSON.stringify({
      ...body,
      ...(end < rows.length ? { pagination: { next_uri: nextUri(asked, end) } } : lastOf(state)),
    }),
  };
}

/** A whole life read in pages of two would be more calls than a user has in a minute. */
function pageSizeOf({ turns }: BridgeState, limit: number): number {
  const before = turns.get('page') ?? 0;
  turns.set('page', before + 1);
  return before < shortPages ? Math.min(2, limit) : limit;
}

function nextUri(asked: Asked, position: number): string {
  const query = new URLSearchParams(asked.query);
  query.set('after', `p+${position}/=`);
  return `${asked.path}?${query}`;
}

function positionOf(cursor: string | null): number {
  if (cursor === null) return 0;
  const position = /^p\+(\d+)\/=$/.exec(cursor)?.[1];
  if (!position) throw new BridgeRefusal(400, 'invalid_cursor', 'after');
  return Number(position);
}

function lastOf(state: BridgeState): Raw {
  return turn<Raw>(state, 'end of a list', [
    { pagination: { next_uri: 'null' } },
    { pagination: { next_uri: null } },
    { pagination: {} },
    {},
  ]);
}
