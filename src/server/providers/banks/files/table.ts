import type {
  StatementColumns as Columns,
  StatementTable,
} from '../../../../shared/contract/statements.ts';
import { readAmount } from '../../../../shared/money/written-amount.ts';
import type { StatementAccount } from '../connect.ts';
import { keyColumns, proposeColumns, withWholeHeaders } from './columns.ts';
import { writtenWith } from './currency.ts';
import { inParis, readDay } from './days.ts';
import { keyOfAccount, type Row, StatementError } from './statement.ts';
import { statedNumber } from './table-account.ts';
import { disagreeingLine } from './table-agreement.ts';
import { areConnected, balancesFromMovements, balancesTold } from './table-balances.ts';
import { cellAt, currencyColumn, figuresIn, isInOneCurrency, numberIn } from './table-figures.ts';
import { isOfCard, type Part, partsOf } from './table-parts.ts';
import {
  bookedBy,
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
  dayOfCell: DayOf = readDay,
): TableReading {
  const rows = withWholeHeaders(lines);
  const start = headerAt(rows);
  const header =
    rows[start]?.cells ??
    rows.reduce<string[]>((most, { cells }) => (cells.length > most.length ? cells : most), []);
  const proposed = start < 0 ? null : proposeColumns(header);
  const dayOf = inParis(dayOfCell, header[(asked ?? proposed)?.date ?? -1] ?? '');
  const [first, ...others] = partsOf(rows, header, asked ?? proposed, dayOf);
  const proposal = proposed && withoutBlankBalance(first, proposed);
  const columns = asked ?? (proposal && { ...proposal, known: knownOf(first, proposal) });
  const shown = first.body.slice(0, shownRows).map(({ cells }) => cells);
  const table = { header, rows: shown, columns };
  const isTold = columns && (columns.balance !== null || columns.known !== null);
  // A proposal that fits no row is a wrong one: the person sees the table and says what is right.
  if (!isTold || (!asked && !fits(first, columns))) return { accounts: [], table };
  if (others.length === 0) return { accounts: accountsOf(first, columns), table };
  // What a person says of a balance is about one account: each of several says its own.
  const accounts = [first, ...others].flatMap((part) => {
    const known = knownOf(part, columns);
    if (columns.balance === null && known === null && part !== first && isOfCard(part)) return [];
    return accountsOf(part, { ...columns, known });
  });
  return { accounts, table };
}

/** Some exports keep the column of balances and leave it blank: those beside the table count then. */
function withoutBlankBalance<C extends Omit<Columns, 'known'>>(
  { body, dayOf, stated }: Part,
  columns: C,
): C {
  const dated = body.filter(({ cells }) => dayOf(cells[columns.date] ?? '') !== null);
  const isBlank = dated.length > 0 && dated.every(({ cells }) => !cellAt(cells, columns.balance));
  return isBlank && stated.length > 0 && movementColumns(columns).some((at) => at !== null)
    ? { ...columns, balance: null }
    : columns;
}

/** The index of the row that names the columns; -1 when there is none. */
export function headerAt(rows: Row[]): number {
  return rows.findIndex(({ cells }) => proposeColumns(cells) !== null);
}

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
  const isBooked = bookedBy(body, part.header, columns);
  const dated = body.flatMap((row) => {
    const day = dayOf(row.cells[columns.date] ?? '');
    return day && isBooked(row.cells) ? [{ ...row, day }] : [];
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
