import { dayMs } from '../../../../shared/calendar/durations.ts';
import { slashedDay } from '../../../../shared/calendar/local-date.ts';
import type { StatementTable, TableChoice } from '../../../../shared/contract/statements.ts';
import type { StatementAccount } from '../connect.ts';
import { readDay } from './days.ts';
import { type Row, StatementError } from './statement.ts';
import { headerAt, readTable, requireFewRows } from './table.ts';
import { elements, openWorkbook, type Sheet, stringOf, textOf, type Workbook } from './workbook.ts';
import { list, record } from './xml.ts';

/**
 * One sheet of an Excel workbook (.xlsx), read as a table like any other: the sheet that is asked for,
 * else the first one shown that has a header, else the first one shown.
 */
export function readXlsx(
  bytes: Uint8Array,
  { columns, sheet: asked }: TableChoice,
): { accounts: StatementAccount[]; table: StatementTable } {
  const book = openWorkbook(bytes);
  const shown = book.sheets.filter(({ isHidden }) => !isHidden);
  const [first] = shown;
  if (!first) throw new StatementError("Ce classeur n'a aucune feuille visible.");
  if (asked !== null && !shown[asked]) throw new StatementError("Cette feuille n'existe pas.");
  const chosen =
    asked ??
    Math.max(
      0,
      shown.findIndex((sheet) => headerAt(rowsOf(book, sheet)) >= 0),
    );
  const rows = rowsOf(book, shown[chosen] ?? first);
  const dayOf = (cell: string) => readDay(cell) ?? unstyledDay(cell, book);
  const { accounts, table } = readTable(rows, columns, dayOf);
  return {
    accounts,
    table: { ...table, sheets: { names: shown.map(({ name }) => name), chosen } },
  };
}

/** Rows with something in them, each with the number that a spreadsheet shows beside it. */
function rowsOf(book: Workbook, { part }: Sheet): Row[] {
  const rows: Row[] = [];
  let line = 0;
  for (const raw of elements(book.part(part), 'row')) {
    line = Number(raw['@r']) || line + 1;
    const cells: string[] = [];
    list(raw.c).forEach((cell, index) => {
      const column = columnOf(String(record(cell)['@r'] ?? '')) ?? index;
      if (column < maxColumns) cells[column] = cellText(record(cell), book);
    });
    if (cells.some(Boolean)) rows.push({ cells: Array.from(cells, (cell) => cell ?? ''), line });
    requireFewRows(rows.length);
  }
  return rows;
}

const maxColumns = 500;

/** The column of "C12", from 0; null when the cell does not say it. */
function columnOf(reference: string): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/**
 * A cell as a person would type it in a table. Formulas are not evaluated: a cell gives the result that
 * is stored with its formula, and one without a result is refused.
 */
function cellText(cell: Record<string, unknown>, book: Workbook): string {
  const value = textOf(cell.v).trim();
  if (cell.f !== undefined && cell.v === undefined) {
    throw new StatementError(
      `La cellule ${textOf(cell['@r'])} contient une formule sans résultat. Ouvrez ce classeur dans un tableur, enregistrez-le, puis recommencez.`,
    );
  }
  switch (cell['@t']) {
    case 's':
      return book.texts[Number(value)] ?? '';
    case 'inlineStr':
      return stringOf(record(cell.is));
    case 'str':
    case 'e':
    case 'd':
      return value;
    case 'b':
      return value === '1' ? 'VRAI' : 'FAUX';
    default:
      return numberText(value, book, Number(cell['@s'] ?? 0));
  }
}

/** With a comma, and never three decimals behind it: they would pass for a group of thousands. */
function numberText(value: string, book: Workbook, style: number): string {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  const { isDate = false, currency = null } = book.styles[style] ?? {};
  const day = isDate ? dayOfSerial(number, book) : null;
  if (day) return slashedDay(day);
  // A binary fraction may end in digits that were never typed: 0.30000000000000004.
  const written = number
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .replace(/\.\d{3}$/, '$&0')
    .replace('.', ',');
  return currency === null ? written : `${written} ${currency}`;
}

/** A date whose cell was not formatted as one: from 1954 to 2119. */
function unstyledDay(cell: string, book: Workbook): string | null {
  return /^[2-7]\d{4}$/.test(cell) ? dayOfSerial(Number(cell), book) : null;
}

/** Days from 30 December 1899; before 1 March 1900, spreadsheets count one that never was. */
function dayOfSerial(serial: number, { is1904 }: Workbook): string | null {
  const days = Math.floor(serial) + (is1904 ? 1462 : 0);
  if (days < 61 || days > 2_958_465) return null;
  return new Date(Date.UTC(1899, 11, 30) + days * dayMs).toISOString().slice(0, 10);
}
