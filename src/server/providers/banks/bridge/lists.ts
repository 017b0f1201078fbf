import { BankSourceError } from '../port.ts';
import { type Page, readPage } from './answers.ts';

/** The documented maximum. */
const pageSize = 500;
/** A list that is longer, or turns in a circle, is an error: half a list would pass for a whole. */
const maxPages = 200;

/** Every row of a list, all its pages. */
export async function readList<Row>(
  path: string,
  read: (path: string) => Promise<unknown>,
  rowOf: (raw: unknown) => Row | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}`;
  while (next !== null) {
    if (seen.has(next) || seen.size === maxPages) {
      throw new BankSourceError('unavailable', `Bridge gave a list without end at ${path}`);
    }
    seen.add(next);
    const page: Page<Row> = readPage(await read(next), next, rowOf);
    rows.push(...page.rows);
    next = page.next;
  }
  return rows;
}
