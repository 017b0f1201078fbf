/** How the end of a list is said; `loop` and `foreign` are answers that no client may follow. */
export type ListEnd = 'missing' | 'null' | 'string' | 'loop' | 'foreign';

interface ListRequest {
  path: string;
  query: URLSearchParams;
  now: Date;
  end: ListEnd;
  /** A page is never longer, whatever `limit` asks. */
  maxPage: number;
}

type Row = { id: number };

/** One page of the envelope of every list, with the cursor after its last id. */
export function page(rows: Row[], request: ListRequest): Record<string, unknown> | null {
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) return null;
  const after = request.query.get('after');
  const start = after === null ? 0 : rows.findIndex((row) => cursorOf(row) === after) + 1;
  const size = Math.min(limit, request.maxPage);
  const resources = rows.slice(start, start + size);
  const last = resources.at(-1);
  const hasMore = last !== undefined && start + size < rows.length;
  return {
    resources,
    generated_at: request.now.toISOString(),
    pagination: hasMore ? { next_uri: nextUri(request, limit, last) } : endOf(request),
  };
}

function cursorOf(row: Row): string {
  return Buffer.from(String(row.id)).toString('base64').replace(/=+$/, '');
}

function nextUri(request: ListRequest, limit: number, last: Row): string {
  const query = new URLSearchParams(request.query);
  query.set('after', cursorOf(last));
  query.set('limit', String(limit));
  return `${request.path}?${query}`;
}

function endOf(request: ListRequest): Record<string, unknown> {
  if (request.end === 'missing') return {};
  if (request.end === 'string') return { next_uri: 'null' };
  if (request.end === 'loop') return { next_uri: `${request.path}?${request.query}` };
  if (request.end === 'foreign') return { next_uri: 'https://elsewhere.invalid/v3/aggregation/x' };
  return { next_uri: null };
}
