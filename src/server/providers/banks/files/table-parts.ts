import type { StatementColumns as Columns } from '../../../../shared/contract/statements.ts';
import { proposeColumns } from './columns.ts';
import type { Row } from './statement.ts';
import { countFooters, statedNumber } from './table-account.ts';
import { statedBalances } from './table-notes.ts';
import type { DayOf } from './table-rows.ts';

/**
 * One table with what stands above it. Some banks write those of several accounts one below the other.
 */
export interface Part {
  header: string[];
  preamble: Row[];
  body: Row[];
  /** The balances that stand beside the table, oldest first. */
  stated: NonNullable<Columns['known']>[];
  dayOf: DayOf;
}

export function partsOf(
  all: Row[],
  header: string[],
  columns: Pick<Columns, 'date' | 'debit'> | null,
  dayOf: DayOf,
): [Part, ...Part[]] {
  const isDated = ({ cells }: Row) => dayOf(cells[columns?.date ?? 0] ?? '') !== null;
  const title = JSON.stringify(header);
  const isTitle = ({ cells }: Row) =>
    proposeColumns(cells) !== null && JSON.stringify(cells) === title;
  const filled = all.filter(({ cells }) => !pageMark.test(cells.join(' ').trim()));
  // Between two transactions, the header of the next page begins no table of another account; the first one does.
  const first = filled.findIndex(isTitle);
  const rows = filled.filter((row, index) => {
    const before = filled[index - 1];
    return index <= first || !isTitle(row) || !before || !(isDated(before) || isTitle(before));
  });
  const partFrom = (from: number): [Part, ...Part[]] => {
    const at = rows.findIndex((row, index) => index >= from && isTitle(row));
    const next = at < 0 ? -1 : rows.findIndex((row, index) => index > at && isTitle(row));
    const preamble = rows.slice(from, Math.max(at, from));
    const last = at + rows.slice(at + 1, Math.max(next, 0)).findLastIndex(isDated) + 1;
    const between = rows.slice(last + 1, Math.max(next, 0));
    const end = next < 0 ? rows.length : last + 1 + countFooters(between, statedNumber(preamble));
    const body = rows.slice(at < 0 ? from : at + 1, end);
    const stated = statedBalances(
      preamble,
      body.filter((row) => !isDated(row)),
      columns?.debit ?? null,
    );
    const part = { header, preamble, body, stated, dayOf };
    return next < 0 ? [part] : [part, ...partFrom(end)];
  };
  return partFrom(0);
}

/** Whether its transactions are those of a card, which the account is debited with later: it has no balance. */
export function isOfCard({ preamble }: Part): boolean {
  const isNumbered = statedNumber(preamble) !== null;
  return !isNumbered && preamble.some(({ cells }) => maskedCard.test(cells.join(' ')));
}

/** "Carte Gold Mastercard n° XXXX XXXX XXXX 1234". */
const maskedCard = /\b(?:carte|visa|mastercard)\b.{0,40}[x*•]{2}[x*•\d\s]{0,20}\d{2,4}\b/i;

/** A row with nothing in it, or with the number of a page alone. */
const pageMark = /^(?:page\s*(?:n°\s*)?\d+(?:\s*(?:\/|sur|de|of)\s*\d+)?)?$/i;
