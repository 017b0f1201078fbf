import type {
  StatementColumns as Columns,
  StatementTable,
} from '../../../../shared/contract/statements.ts';
import { readAmount, readAmountIn } from '../../../../shared/money/written-amount.ts';
import type { StatementAccount } from '../connect.ts';
import { keyColumns, proposeColumns, withWholeHeaders } from './columns.ts';
import { currencyOf, headedCurrency, namesCurrency, writtenWith } from './currency.ts';
import { readDay, readHour } from './days.ts';
import { keyOfAccount, normalNumber, type Row, StatementError } from './statement.ts';
import { countFooters, statedNumber } from './table-account.ts';
import { disagreeingLine } from './table-agreement.ts';
import { areConnected, balancesFromMovements, balancesTold } from './table-balances.ts';
import { signedFigures, type WrittenFigures } from './table-direction.ts';
import { namesBalance, statedBalances } from './table-notes.ts';
import { type Figures, inTime } from './table-order.ts';
import {
  type DatedRow,
  type DayOf,
  datedRows,
  figureColumns,
  movementColumns,
} from './table-rows.ts';

export interface TableReading {
  /** Empty while the columns do not tell a balance. */
  accounts: StatementAccount[];
  table: Omit<StatementTable, 'sheets'>;
}

const shownRows = 6;
const maxRows = 100_000;

export function requireFewRows(count: number): void {
  if (count > maxRows) throw new StatementError('Ce fichier a plus de 100\u202f000 lignes.');
}

/** A table of a bank's export: `asked` are the columns that the person chose, else they are proposed. */
export function readTable(
  lines: Row[],
  asked: Columns | null,
  dayOf: DayOf = readDay,
): TableReading {
  const rows = withWholeHeaders(lines);
  const start = headerAt(rows);
  const header =
    rows[start]?.cells ??
    rows.reduce<string[]>((most, { cells }) => (cells.length > most.length ? cells : most), []);
  const proposed = start < 0 ? null : proposeColumns(header);
  const [first, ...others] = partsOf(rows, header, asked ?? proposed, dayOf);
  const columns = asked ?? (proposed && { ...proposed, known: knownOf(first, proposed) });
  const shown = first.body.slice(0, shownRows).map(({ cells }) => cells);
  const table = { header, rows: shown, columns };
  const isTold = columns && (columns.balance !== null || columns.known !== null);
  // A proposal that fits no row is a wrong one: the person sees the table and says what is right.
  if (!isTold || (!asked && !fits(first, columns))) return { accounts: [], table };
  if (others.length === 0) return { accounts: accountsOf(first, columns), table };
  // What a person says of a balance is about one account: each of several says its own.
  const accounts = [first, ...others].flatMap((part) =>
    accountsOf(part, { ...columns, known: knownOf(part, columns) }),
  );
  return { accounts, table };
}

/** The index of the row that names the columns; -1 when there is none. */
export function headerAt(rows: Row[]): number {
  return rows.findIndex(({ cells }) => proposeColumns(cells) !== null);
}

/**
 * One table with what stands above it. Some banks write those of several accounts one below the other.
 */
interface Part {
  header: string[];
  preamble: Row[];
  body: Row[];
  /** The balances that stand beside the table, oldest first. */
  stated: NonNullable<Columns['known']>[];
  dayOf: DayOf;
}

function partsOf(
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
  // Between two transactions, the header of the next page begins no table of another account.
  const rows = filled.filter((row, index) => {
    const before = filled[index - 1];
    return !isTitle(row) || !before || !(isDated(before) || isTitle(before));
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

/** A row with nothing in it, or with the number of a page alone. */
const pageMark = /^(?:page\s*(?:n°\s*)?\d+(?:\s*(?:\/|sur|de|of)\s*\d+)?)?$/i;

/** Whether the columns read one row at least. One broken row among others is told by its line. */
function fits({ body, dayOf }: Part, columns: Columns): boolean {
  const { date, known } = columns;
  const figures = figureColumns(columns);
  const dated = body.filter(({ cells }) => dayOf(cells[date] ?? '') !== null);
  if (dated.length === 0) return known !== null;
  return dated.some(({ cells }) =>
    figures.some((at) => {
      const cell = cellAt(cells, at);
      // Of two decimals, of three, or of the currency that it is written with.
      const currencies = ['EUR', 'BHD', writtenWith(cell) ?? 'EUR'];
      return currencies.some((one) => readAmount(cell, one) !== null);
    }),
  );
}

/**
 * The latest balance that stands beside the table. Null where the others do not lead to it, or where it may
 * be that of before the first transaction: the person is asked then.
 */
function knownOf(part: Part, columns: Omit<Columns, 'known'>): Columns['known'] {
  const { stated, body, dayOf } = part;
  const known = stated.at(-1);
  if (!known || columns.balance !== null) return known ?? null;
  const dated = body.flatMap((row) => {
    const day = dayOf(row.cells[columns.date] ?? '');
    return day ? [{ ...row, day }] : [];
  });
  const days = dated.map(({ day }) => day).sort();
  if (days[0] === known.day && days.at(-1) !== known.day) return null;
  if (stated.every(({ day, amount }) => day === known.day && amount === known.amount)) return known;
  const read = { ...columns, known };
  if (!fits(part, read)) return null;
  const { rows, currency } = figuresIn(dated, part, read);
  return areConnected(stated, rows, currency) ? known : null;
}

/** Each account of the table apart, where a column tells its number, its product or its currency. */
function accountsOf(part: Part, columns: Columns): StatementAccount[] {
  const dated = datedRows(part.body, part.header, columns, part.dayOf);
  const { number, product } = keyColumns(part.header);
  const currency = columns.balance === null ? null : currencyColumn(part.header, columns);
  const keys = [product, currency];
  const keyOf = ({ cells }: Row) => {
    const cell = cellAt(cells, number);
    return JSON.stringify([numberIn(cell) ?? cell, ...keys.map((at) => cellAt(cells, at))]);
  };
  const groups = [...Map.groupBy(dated, keyOf).values()];
  if (groups.length > 1 && columns.balance === null) {
    throw new StatementError(
      'Ce fichier contient plusieurs comptes et aucune colonne de solde. Exportez-les un par un.',
    );
  }
  if (groups.length < 2) return [accountOf(dated, part, columns)];
  const accounts = groups.map((rows) => accountOf(rows, part, columns));
  const same = Map.groupBy(accounts, keyOfAccount);
  return accounts.map((account, index) => {
    const isOwn = same.get(keyOfAccount(account))?.length === 1;
    if (account.number !== null && isOwn) return { ...account, name: null };
    const kind = cellAt(groups[index]?.[0]?.cells ?? [], product);
    const name = [account.name, kind, currency === null ? '' : account.currency];
    // A number that several of them have tells none apart.
    return { ...account, number: null, name: name.filter(Boolean).join(' ') || null };
  });
}

/** The column of the currency of the balances, or of the amounts where there are none. */
function currencyColumn(header: string[], columns: Columns): number | null {
  const { currency, transactionCurrency } = keyColumns(header);
  if (columns.balance === null) return currency ?? transactionCurrency;
  return headedCurrency([cellAt(header, columns.balance)]) === null ? currency : null;
}

/** The number in a cell; null for a name, by which other banks may call an account of theirs too. */
function numberIn(cell: string): string | null {
  const number = normalNumber(cell);
  return number !== null && /\d{5}/.test(number) ? number : null;
}

function cellAt(cells: string[], index: number | null): string {
  return index === null ? '' : (cells[index] ?? '').trim();
}

function accountOf(dated: DatedRow[], part: Part, columns: Columns): StatementAccount {
  const { rows, currency } = figuresIn(dated, part, columns);
  const isComparable =
    columns.balance !== null && isInOneCurrency(dated, part.header, columns, currency);
  const disagreeing = isComparable ? disagreeingLine(rows) : null;
  const balances =
    columns.balance === null ? balancesFromMovements(rows, columns, currency) : balancesTold(rows);
  if (balances.length === 0)
    throw new StatementError('Aucune ligne de ce fichier ne donne un solde et sa date.');
  const cell = cellAt(dated[0]?.cells ?? [], keyColumns(part.header).number);
  const own = numberIn(cell);
  return {
    ...{ number: own ?? statedNumber(part.preamble), name: own ? null : cell || null },
    ...{ bankName: null, type: 'checking', currency, balances },
    ...(disagreeing !== null && { disagreeingLine: disagreeing }),
  };
}

/** What the rows say, oldest first, and in which currency. */
function figuresIn(
  dated: DatedRow[],
  { header, preamble, body, dayOf }: Part,
  columns: Columns,
): { rows: Figures[]; currency: string } {
  const { transactionCurrency, fee } = keyColumns(header);
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
  const headed = columns.balance === null ? null : headedCurrency(writtenIn(header));
  const currency =
    headed ??
    currencyOf(said, [...above, header.join(' ')], {
      headings: writtenIn(header),
      amounts: dated.flatMap(({ cells }) => writtenIn(cells)),
      movements: movementColumns(columns).map((index) => cellAt(header, index)),
    });
  const hours = dated.map(({ cells }) => readHour(cells[columns.date] ?? ''));
  const isTimed = hours.every((hour) => hour !== null);
  const figures = signedFigures(
    dated.map((row) => figuresOf(row, columns, fee, currency)),
    dated,
    header,
    columns,
  );
  const rows = inTime(
    dated.map(({ day, line }, index) => ({
      ...{ day, line, at: isTimed ? `${day} ${hours[index]}` : day },
      ...(figures[index] ?? { balance: null, movement: null, fee: 0 }),
    })),
  );
  return { rows, currency };
}

/** Whether neither the rows nor the headings of the figures name another currency than the balance's. */
function isInOneCurrency(
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
    if (cell === '') return null;
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
