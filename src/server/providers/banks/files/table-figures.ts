import type { StatementColumns as Columns } from '../../../../shared/contract/statements.ts';
import { readAmount, readAmountIn } from '../../../../shared/money/written-amount.ts';
import { keyColumns } from './columns.ts';
import { currencyOf, headedCurrency, namesCurrency, writtenWith } from './currency.ts';
import { readDay, readHour } from './days.ts';
import { normalNumber, type Row, StatementError } from './statement.ts';
import { statedNumber } from './table-account.ts';
import { signedFigures, type WrittenFigures } from './table-direction.ts';
import { namesBalance } from './table-notes.ts';
import { type Figures, inTime } from './table-order.ts';
import type { Part } from './table-parts.ts';
import { type DatedRow, figureColumns, movementColumns } from './table-rows.ts';

/** The column of the currency of the balances, or of the amounts where there are none. */
export function currencyColumn(header: string[], columns: Columns): number | null {
  const { currency, transactionCurrency } = keyColumns(header);
  if (columns.balance === null) return currency ?? transactionCurrency;
  return headedCurrency([cellAt(header, columns.balance)]) === null ? currency : null;
}

/** "IBAN" in the first column may be that of the account, further on it is that of the other party. */
function ownIban(header: string[]): number | null {
  return /^iban$/i.test(cellAt(header, 0)) ? 0 : null;
}

/** The number in a cell; null for a name, by which other banks may call an account of theirs too. */
export function numberIn(cell: string): string | null {
  const number = normalNumber(cell);
  return number !== null && /\d{5}/.test(number) ? number : null;
}

export function cellAt(cells: string[], index: number | null): string {
  return index === null ? '' : (cells[index] ?? '').trim();
}

/** What the rows say, oldest first, and in which currency. */
export function figuresIn(
  dated: DatedRow[],
  { header, preamble, body, dayOf }: Part,
  columns: Columns,
): { rows: Figures[]; currency: string } {
  const { transactionCurrency, fee, number } = keyColumns(header);
  const at = currencyColumn(header, columns);
  const notes = body.filter(
    ({ cells }) => dayOf(cells[columns.date] ?? '') === null && cells.some(namesBalance),
  );
  const above = [...preamble, ...notes].map(({ cells }) => cells.join(' '));
  const column = dated.map(({ cells }) => cellAt(cells, at ?? transactionCurrency));
  // Transactions in several currencies do not say which one the balance is in.
  const said = at === null && new Set(column).size > 1 ? null : column;
  const writtenIn = (cells: string[]) =>
    figureColumns(columns).map((index) => cellAt(cells, index));
  const numbers = new Set(dated.map(({ cells }) => cellAt(cells, number ?? ownIban(header))));
  const [numberCell = ''] = numbers.size === 1 ? numbers : [];
  const headed = columns.balance === null ? null : headedCurrency(writtenIn(header));
  const currency =
    headed ??
    currencyOf(said, [...above, header.join(' ')], {
      headings: writtenIn(header),
      amounts: dated.flatMap(({ cells }) => writtenIn(cells)),
      movements: movementColumns(columns).map((index) => cellAt(header, index)),
      number: numberIn(numberCell) ?? statedNumber(preamble),
    });
  const hours = dated.map(({ cells }) => readHour(cells[columns.date] ?? ''));
  // In the order of the moments as they are written, which may be in UTC.
  const writtenDays = dated.map(({ cells }) => readDay(cells[columns.date] ?? ''));
  const isTimed = hours.every((hour) => hour !== null);
  const figures = signedFigures(
    dated.map((row) => figuresOf(row, columns, fee, currency)),
    dated,
    header,
    columns,
  );
  const rows = inTime(
    dated.map(({ day, line }, index) => ({
      ...{ day, line, at: isTimed ? `${writtenDays[index] ?? day} ${hours[index]}` : day },
      ...(figures[index] ?? { balance: null, movement: null, fee: 0 }),
    })),
  );
  return { rows, currency };
}

/** Whether neither the rows nor the headings of the figures name another currency than the balance's. */
export function isInOneCurrency(
  dated: DatedRow[],
  header: string[],
  columns: Columns,
  currency: string,
): boolean {
  const figures = figureColumns(columns);
  const named = [currencyColumn(header, columns), keyColumns(header).transactionCurrency];
  const written = dated.flatMap(({ cells }) => [
    ...named.map((index) => cellAt(cells, index)),
    ...figures.map((index) => writtenWith(cellAt(cells, index)) ?? ''),
  ]);
  const headed = figures.map((index) => headedCurrency([cellAt(header, index)]) ?? '');
  return [...headed, ...written].every((cell) => cell === '' || namesCurrency(cell, currency));
}

function figuresOf(
  { cells, line }: Row,
  columns: Columns,
  feeColumn: number | null,
  currency: string,
): WrittenFigures {
  // Beside a balance, the amount of a transaction may be in the currency that was paid in.
  const readMovement = columns.balance === null ? readAmountIn : readAmount;
  const read = (index: number | null, readCell = readMovement): number | null => {
    const cell = index === null ? '' : (cells[index] ?? '');
    if (cell === '' || (index !== columns.balance && dash.test(cell))) return null;
    const minor = readCell(cell, currency);
    if (minor === null)
      throw new StatementError(
        `La ligne ${line} contient un montant illisible\u202f: «\u202f${cell.slice(0, 40)}\u202f».`,
      );
    return minor;
  };
  const fee = readAmount(cellAt(cells, feeColumn), currency) ?? 0;
  return {
    balance: read(columns.balance, readAmountIn),
    ...{ amount: read(columns.amount), debit: read(columns.debit), credit: read(columns.credit) },
    fee: Math.abs(fee),
  };
}

/** A spreadsheet's accounting format writes no amount as "- €". */
const dash = /^[-\u2010-\u2015\u2212]\s*\p{Sc}?$/u;
