import { BankSourceError } from '../failures.ts';
import { type BridgeAnswer, requireOk } from './calls.ts';
import { type Page, readPage } from './pagination.ts';

/** The documented maximum. */
const pageSize = 500;

/**
 * A list that is longer, or turns in a circle, is an error: half a list would pass for a whole. The
 * size is that of the answers as text, of which the rows hold several times as much memory: two
 * thousand accounts are about one and a half million characters.
 */
const most = { pages: 200, rows: 20_000, size: 8 * 1024 * 1024 };

/**
 * Every row of a list that `isWanted`, all its pages, as `rowOf` makes them; the others are neither held
 * nor counted. Throws `BankSourceError` of kind `unavailable` for a list that is too long to be held.
 */
export async function readList<Row>(
  path: string,
  read: (path: string) => Promise<BridgeAnswer>,
  rowOf: (raw: unknown) => Row | null,
  isWanted: (row: Row) => boolean = () => true,
): Promise<Row[]> {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let size = 0;
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}`;
  while (next !== null) {
    if (seen.has(next) || seen.size === most.pages) throw tooLong(path, 'without end');
    seen.add(next);
    const answer = await read(next);
    const page: Page<Row> = readPage(requireOk(answer), next, rowOf);
    const wanted = page.rows.filter(isWanted);
    for (const row of wanted) rows.push(row);
    size += wanted.length > 0 ? answer.size : 0;
    if (rows.length > most.rows) throw tooLong(path, `of more than ${most.rows} rows`);
    if (size > most.size) throw tooLong(path, `of more than ${most.size} characters`);
    next = page.next;
  }
  return rows;
}

function tooLong(path: string, what: string): BankSourceError {
  return new BankSourceError('unavailable', `Bridge gave a list ${what} at ${path}`);
}
