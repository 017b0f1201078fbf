import { parse } from 'csv-parse/sync';
import type {
  StatementColumns as Columns,
  StatementTable,
} from '../../../../shared/contract/statements.ts';
import type { StatementAccount } from '../connect.ts';
import { readAmount, readDay } from './amounts.ts';
import { keyColumns, proposeColumns } from './columns.ts';
import { currencyOf } from './currency.ts';
import { byDay, normalNumber, StatementError } from './statement.ts';

export interface CsvReading {
  /** Empty while the columns do not tell a balance. */
  accounts: StatementAccount[];
  table: StatementTable;
}

/** Rows of text with the number of their line. */
interface Row {
  cells: string[];
  line: number;
}

const shownRows = 6;
const mostRows = 100_000;

/** A bank's CSV export: `asked` are the columns that the person chose, else they are proposed. */
export function readCsv(text: string, asked: Columns | null): CsvReading {
  const rows = rowsOf(text);
  const start = rows.findIndex(({ cells }) => proposeColumns(cells) !== null);
  const header =
    rows[start]?.cells ??
    rows.reduce<string[]>((most, { cells }) => (cells.length > most.length ? cells : most), []);
  const preamble = rows.slice(0, Math.max(start, 0));
  const body = rows.slice(start + 1);
  const proposed = start < 0 ? null : proposeColumns(header);
  const columns = asked ?? (proposed && { ...proposed, known: knownIn(preamble, body, proposed) });
  const table = { header, rows: body.slice(0, shownRows).map(({ cells }) => cells), columns };
  const isTold = columns && (columns.balance !== null || columns.known !== null);
  // A proposal that fits no row is a wrong one: the person sees the table and says what is right.
  if (!isTold || (!asked && !fits(body, columns))) return { accounts: [], table };
  return { accounts: accountsOf({ header, preamble, body }, columns), table };
}

/** Whether the columns read one row at least. One broken row among others is told by its line. */
function fits(body: Row[], { date, balance, amount, debit, credit, known }: Columns): boolean {
  const figures = balance === null ? [amount, debit, credit] : [balance];
  const dated = body.filter(({ cells }) => readDay(cells[date] ?? '') !== null);
  if (dated.length === 0) return known !== null;
  return dated.some(({ cells }) =>
    figures.some((at) => readAmount(cellAt(cells, at), 'EUR') !== null),
  );
}

function rowsOf(text: string): Row[] {
  const delimiter = delimiterOf(text);
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    rows = parse(text, {
      ...{ delimiter, bom: true, info: true, trim: true, relax_column_count: true },
      ...{ relax_quotes: true, skip_empty_lines: true, max_record_size: 100_000 },
    }) as unknown as typeof rows;
  } catch (error) {
    const line = /line (\d+)/.exec(String(error))?.[1];
    throw new StatementError(
      line
        ? `La ligne ${line} de ce fichier est illisible.`
        : "Ce fichier n'est pas un tableau lisible.",
    );
  }
  if (rows.length > mostRows) throw new StatementError('Ce fichier a plus de 100 000 lignes.');
  // A spreadsheet is told by `="…"` that a number is a text: it is one here anyway.
  return rows.map(({ record, info }) => ({
    cells: record.map((cell) => cell.replace(/^="?(.*?)"?$/, '$1')),
    line: info.lines,
  }));
}

/** The sign that parts the most lines into the same number of cells. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r?\n/, 60).filter((line) => line.trim() !== '');
  const score = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length).filter((count) => count > 1);
    const groups = [...Map.groupBy(counts, (count) => count).values()];
    const usual = Math.max(0, ...groups.map((same) => same.length));
    return usual * 10 + Math.max(0, ...counts);
  };
  return [';', '\t', ',', '|'].reduce((best, sign) => (score(sign) > score(best) ? sign : best));
}

interface Parts {
  header: string[];
  preamble: Row[];
  body: Row[];
}

interface DatedRow extends Row {
  day: string;
}

/** Each account of the table apart, where a column tells its number, its product or its currency. */
function accountsOf(parts: Parts, columns: Columns): StatementAccount[] {
  // Rows without a date are notes of the bank: a total, a way to read the file.
  const dated = parts.body.flatMap(({ cells, line }) => {
    const day = readDay(cells[columns.date] ?? '');
    return day ? [{ day, cells, line }] : [];
  });
  const { number, product, currency } = keyColumns(parts.header);
  const keys = [number, product, columns.balance === null ? null : currency];
  const keyOf = ({ cells }: Row) => JSON.stringify(keys.map((at) => cellAt(cells, at)));
  const groups = [...Map.groupBy(dated, keyOf).values()];
  if (groups.length > 1 && columns.balance === null) {
    throw new StatementError(
      'Ce fichier contient plusieurs comptes et aucune colonne de solde. Exportez-les un par un.',
    );
  }
  if (groups.length < 2) return [accountOf(dated, parts, columns)];
  return groups.map((rows) => {
    const account = accountOf(rows, parts, columns);
    const name = [cellAt(rows[0]?.cells ?? [], product), currency === null ? '' : account.currency];
    return { ...account, name: account.number ? null : name.filter(Boolean).join(' ') || null };
  });
}

function cellAt(cells: string[], index: number | null): string {
  return index === null ? '' : (cells[index] ?? '').trim();
}

function accountOf(
  dated: DatedRow[],
  { header, preamble }: Parts,
  columns: Columns,
): StatementAccount {
  const { number, currency: at } = keyColumns(header);
  const above = [...preamble.map(({ cells }) => cells.join(' ')), header.join(' ')];
  const said = at === null ? null : dated.map(({ cells }) => cellAt(cells, at));
  const currency = currencyOf(said, above);
  const rows = inTime(dated.map((row) => ({ ...row, ...figuresOf(row, columns, currency) })));
  const balances = columns.balance === null ? counted(rows, columns, currency) : told(rows);
  if (balances.length === 0)
    throw new StatementError('Aucune ligne de ce fichier ne dit de solde avec sa date.');
  const own = normalNumber(cellAt(dated[0]?.cells ?? [], number));
  return {
    ...{ number: own ?? numberIn(preamble), name: null, bankName: null },
    ...{ currency, balances },
  };
}

interface Figures {
  day: string;
  line: number;
  balance: number | null;
  movement: number | null;
}

function figuresOf(
  { cells, line }: Row,
  columns: Columns,
  currency: string,
): Pick<Figures, 'balance' | 'movement'> {
  const read = (index: number | null): number | null => {
    const cell = index === null ? '' : (cells[index] ?? '');
    if (cell === '') return null;
    const minor = readAmount(cell, currency);
    if (minor === null)
      throw new StatementError(
        `La ligne ${line} contient un montant illisible\u202f: «\u202f${cell.slice(0, 40)}\u202f».`,
      );
    return minor;
  };
  const [debit, credit] = [read(columns.debit), read(columns.credit)];
  const apart =
    debit === null && credit === null ? null : Math.abs(credit ?? 0) - Math.abs(debit ?? 0);
  return { balance: read(columns.balance), movement: read(columns.amount) ?? apart };
}

/** Oldest first. Where the dates do not tell, the order in which each balance follows from the last. */
function inTime(rows: Figures[]): Figures[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return rows;
  if (first.day !== last.day) return first.day > last.day ? rows.toReversed() : rows;
  const told = rows.filter(({ balance }) => balance !== null);
  if (told[0]?.balance === told.at(-1)?.balance) return rows;
  const orders = [told, told.toReversed()].filter(follows);
  if (orders.length === 1 && orders[0]) return orders[0];
  throw new StatementError(
    'Toutes les lignes de ce fichier sont du même jour, et leur ordre ne se lit pas. Exportez plusieurs jours.',
  );
}

function follows(rows: Figures[]): boolean {
  return rows.every(({ balance, movement }, index) => {
    const before = rows[index - 1]?.balance ?? null;
    return index === 0 || (movement !== null && before !== null && balance === before + movement);
  });
}

function told(rows: Figures[]): StatementAccount['balances'] {
  return byDay(
    rows.flatMap(({ day, balance }) => (balance === null ? [] : [{ day, minor: balance }])),
  );
}

/** Backward and forward from the known balance, which is that of the end of its day. */
function counted(
  rows: Figures[],
  { known }: Columns,
  currency: string,
): StatementAccount['balances'] {
  const at = known && readAmount(known.amount, currency);
  if (!known || at === null) throw new StatementError('Le solde connu est illisible.');
  const unread = rows.find(({ movement }) => movement === null);
  if (unread) throw new StatementError(`La ligne ${unread.line} n'a pas de montant.`);
  const sums = Map.groupBy(rows, ({ day }) => day);
  const days = [...new Set([...sums.keys(), known.day])].sort();
  const of = (day: string) =>
    (sums.get(day) ?? []).reduce((sum, { movement }) => sum + (movement ?? 0), 0);
  const minor = new Map([[known.day, at]]);
  const place = days.indexOf(known.day);
  for (let index = place - 1; index >= 0; index -= 1) {
    const next = days[index + 1] ?? '';
    minor.set(days[index] ?? '', (minor.get(next) ?? 0) - of(next));
  }
  for (let index = place + 1; index < days.length; index += 1) {
    const day = days[index] ?? '';
    minor.set(day, (minor.get(days[index - 1] ?? '') ?? 0) + of(day));
  }
  return byDay([...minor].map(([day, value]) => ({ day, minor: value })));
}

/**
 * "Solde au 20/11/2026 : 1 234,56 €", in one cell or in several of one row, above or below the table. A
 * row with a date is an operation, whose label may speak of a balance.
 */
function knownIn(preamble: Row[], body: Row[], { date }: { date: number }): Columns['known'] {
  const notes = body.filter(({ cells }) => readDay(cells[date] ?? '') === null);
  const dates = preamble
    .slice(0, 12)
    .flatMap(({ cells }) => (/date/i.test(cells[0] ?? '') ? (readDay(cells[1] ?? '') ?? []) : []));
  for (const { cells } of [...preamble, ...notes]) {
    const at = cells.findIndex((cell) => /\bsolde\b/i.test(cell) && !/franc/i.test(cell));
    if (at < 0) continue;
    const text = cells.slice(at).join(' ');
    const written = /\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}-\d\d-\d\d/.exec(text)?.[0];
    const amount = /[+-]?\s?\d[\d\s\u00a0\u202f.]*[,.]\d{2}(?!\d)/.exec(
      text.replace(written ?? '', ' '),
    )?.[0];
    const day = readDay(written ?? '') ?? dates[0];
    if (day && amount) return { day, amount: amount.trim() };
  }
  return null;
}

/** An account number that is named as such, or a cell that holds a whole IBAN or RIB and nothing else. */
function numberIn(preamble: Row[]): string | null {
  for (const { cells } of preamble) {
    const text = cells.join(' ');
    const alone = cells.map((cell) => cell.replace(/\s/g, '')).find((cell) => whole.test(cell));
    const iban = /\bFR\d{2}(?:\s?[0-9A-Z]{4}){5}\s?[0-9A-Z]{3}\b/.exec(text)?.[0];
    const number = [...text.matchAll(named)].find(isAccount)?.[2];
    const found = iban ?? alone ?? number;
    if (found) return normalNumber(found);
  }
  return null;
}

const whole = /^(?:[A-Z]{2}\d{2}[0-9A-Z]{11,30}|\d{10}[0-9A-Z]{11}\d{2})$/;
const named = /(?:compte|n°|num[ée]ro)(\D{0,60}?)\b([0-9A-Z]{7,23})\b/gi;

/** The number of a customer, a telephone or a day stand at the same place. */
function isAccount([, words = '', number = '']: RegExpExecArray): boolean {
  const isDay = number.length === 8 && readDay(number) !== null;
  return /\d{5}/.test(number) && !isDay && !/client|abonn|t[ée]l|contrat|identifiant/i.test(words);
}
