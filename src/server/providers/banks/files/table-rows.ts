import type { StatementColumns as Columns } from '../../../../shared/contract/statements.ts';
import { keyColumns } from './columns.ts';
import { beginsLikeADay, readDay } from './days.ts';
import { type Row, StatementError } from './statement.ts';

/** How a cell of the column of dates is read: YYYY-MM-DD, null for what is no date. */
export type DayOf = (cell: string) => string | null;

export interface DatedRow extends Row {
  day: string;
}

/**
 * The transactions of a table: its rows with a date. The others are notes of the bank, a total or a way to
 * read the file; one that may be a transaction is refused, because its movement would be missing.
 */
export function datedRows(
  rows: Row[],
  header: string[],
  columns: Omit<Columns, 'known'>,
  dayOf: DayOf,
): DatedRow[] {
  const days = rows.map(({ cells }) => dayOf(cells[columns.date] ?? ''));
  const [first, last] = [days.findIndex(Boolean), days.findLastIndex(Boolean)];
  const isBooked = bookedBy(rows, header, columns);
  const { date, ...figures } = columns;
  const { state, ...keys } = keyColumns(header);
  const told = [date, ...Object.values(figures), ...Object.values(keys)];
  // Transactions say what they are; sums below a table may stand alone.
  const isWithWords = ({ cells }: Row) =>
    cells.some((cell, at) => !told.includes(at) && /^\D*\p{L}/u.test(cell));
  const isLabelled = rows.some((row, at) => days[at] && isWithWords(row));
  return rows.flatMap((row, at) => {
    const { cells, line } = row;
    const day = days[at];
    if (day) return isBooked(cells) ? [{ day, cells, line }] : [];
    const cell = (cells[date] ?? '').trim();
    const hasFigures = figureColumns(columns).some((figure) =>
      /\d/.test(cells[figure ?? -1] ?? ''),
    );
    if (likeADate.test(cell) || (hasFigures && beginsLikeADay(cell))) {
      throw new StatementError(
        `La ligne ${line} contient une date illisible\u202f: «\u202f${cell.slice(0, 40)}\u202f».`,
      );
    }
    // A day in the first of merged cells stands for those below it.
    const isBelowADay = first >= 0 && at > first && !/[\p{L}\d]/u.test(cell);
    if (!hasFigures || !isBelowADay || isNote(row, header)) return [];
    if (at > last && isLabelled && !isWithWords(row)) return [];
    throw new StatementError(`La ligne ${line} donne un montant sans date.`);
  });
}

/**
 * Whether a row with a date moved the balance: none that was refused or waits, by a column of states, and no
 * "Ancien solde" among transactions without a balance. One with a balance of its own is always booked.
 */
export function bookedBy(
  rows: Row[],
  header: string[],
  { balance }: Omit<Columns, 'known'>,
): (cells: string[]) => boolean {
  const { state } = keyColumns(header);
  const stateOf = (cells: string[]) => (state === null ? '' : (cells[state] ?? '').trim());
  // What waits to be reconciled in accounting was booked by the bank.
  const isOfAccounting = rows.some(({ cells }) => reconciled.test(stateOf(cells)));
  return (cells) => {
    if (balance !== null && cells[balance]) return true;
    if (!isOfAccounting && unbooked.test(stateOf(cells))) return false;
    return balance !== null || !cells.some((cell) => datedBalance.test(cell.trim()));
  };
}

const reconciled = /^(rappro|point[ée]|justifi|valid[ée])/i;

const unbooked =
  /^(refus[ée]e?|rejet[ée]e?|annul[ée]e?|[ée]chou[ée]e?|[ée]chec|expir[ée]e?|en attente|en cours|[àa] venir|pr[ée]vue?|declined|failed|rejected|refused|cancell?ed|reverted|expired|pending|processing)$/i;

/** The label of a row that is a balance, whole: that of a transfer may speak of one among other words. */
const datedBalance =
  /^(?:(?:ancien|nouveau) solde|solde (?:pr[ée]c[ée]dent|ant[ée]rieur|initial|final|report[ée]|d[ée]biteur|cr[ée]diteur))(?: (?:d[ée]biteur|cr[ée]diteur))?(?: (?:au|en date du) \d{1,2}[/.-]\d{1,2}[/.-]\d{2,4})?(?: en euros?)?\s*:?$/iu;

/** The columns from which the balances come. */
export function figureColumns(columns: Omit<Columns, 'known'>): (number | null)[] {
  return columns.balance === null ? movementColumns(columns) : [columns.balance];
}

/** The columns of the amounts of the transactions. */
export function movementColumns({
  amount,
  debit,
  credit,
}: Omit<Columns, 'known'>): (number | null)[] {
  return [amount, debit, credit];
}

/** A day, a month and a year in figures, whether or not such a day exists. */
const likeADate = /^\s*\d{1,4}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{1,4}(?!\d)/;

/** A total, a balance, or a transaction that is not booked yet, which has another date. */
function isNote({ cells }: Row, header: string[]): boolean {
  return cells.some((cell, at) => {
    const heading = header[at] ?? '';
    const isOtherDate = /date/i.test(heading) && !/val/i.test(heading);
    return noted.test(cell.trim()) || (isOtherDate && readDay(cell) !== null);
  });
}

const noted =
  /^(?:sous[ -]?)?tota(?:l|ux)\b|^(?:(?:ancien|nouveau|votre|le) )?solde\b|^(?:cumul|sommes?|(?:à )?report(?:er)?|balance|moyenne|nombre|encours|d[ée]couvert|plafond|dont)\b/iu;
