import { BankSourceError } from '../failures.ts';
import { isRecord, readInteger } from '../json-fields.ts';

/** A row of a list, or null when it cannot be named. Ids written as text are read as numbers. */
export function readRow(row: unknown): NumberedRow | null {
  if (!isRecord(row)) return null;
  const id = readInteger(row.id);
  return id === null ? null : { ...row, id };
}

export type NumberedRow = { id: number } & Record<string, unknown>;

export interface Page<Row> {
  rows: Row[];
  /** Where the next page is: a path with its query under the base, or null at the end. */
  next: string | null;
}

/**
 * The envelope of every list: docs.bridgeapi.io/docs/basics, "pagination". A row of which `rowOf` makes
 * nothing fails the whole list: without it, what it stands for would pass for removed.
 */
export function readPage<Row>(
  body: unknown,
  path: string,
  rowOf: (raw: unknown) => Row | null,
): Page<Row> {
  if (!isRecord(body) || !Array.isArray(body.resources)) {
    throw new BankSourceError('unavailable', 'Bridge answered a list without resources');
  }
  const pagination = isRecord(body.pagination) ? body.pagination : {};
  return {
    rows: body.resources.map((raw) => rowOf(raw) ?? unreadableRow()),
    next: readNext(pagination.next_uri, path),
  };
}

export function unreadableRow(): never {
  throw new BankSourceError('unavailable', 'Bridge answered a row that cannot be read', {
    sentence:
      "Le service bancaire a donné une liste illisible\u202f: rien n'a été modifié. Réessayez plus tard.",
  });
}

/**
 * The end is a missing field, null, or the text "null". Only a path of this API is followed: the
 * calls carry secrets, and no answer may send them elsewhere.
 */
function readNext(uri: unknown, path: string): string | null {
  if (typeof uri !== 'string' || uri === '' || uri === 'null') return null;
  const here = new URL(path, 'http://bridge.invalid');
  const there = URL.canParse(uri, here) ? new URL(uri, here) : null;
  const start = there?.pathname.indexOf('/v3/') ?? -1;
  if (!there || there.origin !== here.origin || start < 0) {
    throw new BankSourceError('refused', 'Bridge continued a list at a foreign address');
  }
  return there.pathname.slice(start) + there.search;
}
