import type { Answer } from '../service/responses.ts';
import type { Variations } from '../service/variations.ts';
import { answer, refusal } from './responses.ts';
import type { Call } from './standin.ts';

const defaultLimit = 50;
const maxLimit = 500;

/** One page of the envelope of every list: docs.bridgeapi.io/docs/basics, "pagination". */
export function listAnswer(call: Call, rows: { id: number }[]): Answer {
  const { request, standin } = call;
  const { variations, lists } = standin;
  const limit = Number(request.query.get('limit') ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const property = 'limit';
    return refusal(400, 'invalid_parameter', 'limit is between 1 and 500.', { property });
  }
  const cursors = rows.map(({ id }) => cursorOf(id, variations));
  const after = request.query.get('after');
  const start = after === null ? 0 : cursors.indexOf(after) + 1;
  if (after !== null && start === 0) {
    return refusal(400, 'invalid_parameter', 'after is not a cursor.', { property: 'after' });
  }
  const size = lists.shortPages > 0 ? Math.min(limit, lists.maxPage) : limit;
  lists.shortPages -= 1;
  const end = start + size;
  const last = end < rows.length ? cursors[end - 1] : undefined;
  return answer(200, {
    resources: rows.slice(start, end),
    generated_at: standin.options.clock.now().toISOString(),
    ...(last === undefined
      ? endOf(call)
      : { pagination: { next_uri: nextUri(call, last, limit) } }),
  });
}

/** Base64 without its padding, as in the official example, or with signs that an address escapes. */
function cursorOf(id: number, variations: Variations): string {
  const cursor = Buffer.from(String(id)).toString('base64').replace(/=+$/, '');
  return variations.isOn ? `${cursor}+/=` : cursor;
}

function nextUri({ request }: Call, after: string, limit: number): string {
  const query = new URLSearchParams(request.query);
  query.set('after', after);
  query.set('limit', String(limit));
  return `${request.path}?${query}`;
}

/** What stands in place of a next page. */
export function endOf({ request, standin }: Call): Record<string, unknown> {
  const here = `${request.path}?${request.query}`;
  const ends = {
    null: { pagination: { next_uri: null } },
    string: { pagination: { next_uri: 'null' } },
    missing: { pagination: {} },
    loop: { pagination: { next_uri: here } },
    foreign: { pagination: { next_uri: 'https://elsewhere.invalid/v3/aggregation/x' } },
  };
  const { null: ofNull, string, missing } = ends;
  return standin.variations.pick<Record<string, unknown>>('end of a list', [
    ends[standin.lists.end],
    string,
    ofNull,
    missing,
    {},
  ]);
}
