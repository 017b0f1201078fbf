import { BankSourceError } from '../failures.ts';
import { isRecord, readText } from '../json-fields.ts';
import type { PontoPair } from './accesses.ts';
import type { PontoCaller } from './calls.ts';

/** A list that is longer, or turns in a circle, is an error: half a list would pass for a whole. */
const maxPages = 50;

export type Row = { id: string } & Record<string, unknown>;

/**
 * Every row of a list of JSON:API, all its pages of a hundred. The next page is an absolute address:
 * one that leads elsewhere than to Ponto is refused, because the calls carry a token. `isLast`: whether
 * nothing after this page is wanted.
 */
export async function readList(
  { ask }: Pick<PontoCaller, 'ask'>,
  apiUrl: string,
  pair: PontoPair | null,
  path: string,
  isLast: (rows: Row[]) => boolean = () => false,
): Promise<Row[]> {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}page%5Blimit%5D=100`;
  while (next !== null) {
    if (seen.has(next) || seen.size === maxPages) throw unreadable('a list without end');
    seen.add(next);
    const { data, links } = await ask(pair, { method: 'GET', path: next });
    if (!Array.isArray(data)) throw unreadable('a list without data');
    const page = data.map(readRow);
    rows.push(...page);
    const hasMore = page.length > 0 && !isLast(page) && isRecord(links);
    next = hasMore ? pathOf(links.next, apiUrl) : null;
  }
  return rows;
}

export function readRow(row: unknown): Row {
  const id = isRecord(row) ? readText(row.id) : null;
  if (!isRecord(row) || !id) throw unreadable('a row without an id');
  return { ...row, id };
}

function pathOf(next: unknown, apiUrl: string): string | null {
  if (typeof next !== 'string' || next === '') return null;
  const [base, there] = [
    new URL(apiUrl),
    URL.canParse(next, apiUrl) ? new URL(next, apiUrl) : null,
  ];
  const folder = base.pathname.replace(/\/$/, '');
  if (there?.origin !== base.origin || !there.pathname.startsWith(`${folder}/`)) {
    throw new BankSourceError('refused', 'Ponto continued a list at a foreign address');
  }
  return there.pathname.slice(folder.length) + there.search;
}

export function unreadable(what: string): BankSourceError {
  return new BankSourceError('unavailable', `Ponto answered ${what}`, {
    sentence:
      "Ponto a donné une réponse illisible\u202f: rien n'a été modifié. Réessayez plus tard.",
  });
}
