import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import { readDay, takeDays } from './days.ts';
import type { Row } from './statement.ts';

type Stated = NonNullable<StatementColumns['known']>;

/**
 * The balances that stand above or below a table, oldest first: "Solde au 20/11/2026 : 1 234,56 €", in one
 * cell or in several of one row, else an amount alone at the end of a row above, behind its date. `notes`
 * are the rows without a date: one with a date is a transaction, whose label may speak of a balance. `debit`
 * is the table's column of debits. None where the first can be read in two ways: the person is asked then.
 */
export function statedBalances(preamble: Row[], notes: Row[], debit: number | null): Stated[] {
  const day = exportDay(preamble);
  const named = [
    ...preamble.map(({ cells }) => namedBalance(cells, day, isDayAndAmount(cells) ? null : debit)),
    ...notes.map(({ cells }) => namedBalance(cells, day, debit)),
  ];
  const bare = preamble.map(({ cells }) => bareBalance(cells));
  const found = [...named, ...bare].filter((known) => known !== null);
  if (found[0] === 'unclear') return [];
  const clear = found.filter((known) => known !== 'unclear');
  return clear.toSorted((one, other) => Number(one.day > other.day) - Number(one.day < other.day));
}

export function namesBalance(cell: string): boolean {
  return /\bsolde\b/i.test(cell);
}

/** `unclear`: it is told, but its amount, its sign or its day may be another one. */
function namedBalance(
  cells: string[],
  exported: string | null,
  debit: number | null,
): Stated | 'unclear' | null {
  const at = cells.findIndex((cell) => namesBalance(cell) && !otherBalance.test(cell));
  if (at < 0) return null;
  const row = notesOf(cells.slice(at));
  // What follows a cell of other words is no longer about the balance.
  const end = row.findIndex(({ words }, index) => index > 0 && !isBesideAmount(words));
  const notes = end < 0 ? row : row.slice(0, end);
  const column = notes.findIndex(({ amounts }) => amounts.length > 0);
  if (column < 0) return null;
  const [amount, ...otherAmounts] = notes.flatMap(({ amounts }) => amounts);
  const [day, ...otherDays] = new Set(notes.flatMap(({ days }) => days));
  const isDebtor = notes.some(({ words }) => debtor.test(words));
  const isCreditor = notes.some(({ words }) => creditor.test(words));
  // In the column of debits it may be below zero, or stand there because it is the first one.
  const isDebit = column > 0 && at + column === debit && !isDebtor;
  const isCertain = otherAmounts.length + otherDays.length === 0 && day !== null && !isDebit;
  if (!amount || !isCertain || (isDebtor && isCreditor)) return 'unclear';
  const known = day ?? exported;
  if (known === null) return null;
  return { day: known, amount: isDebtor ? `-${amount.replace('-', '')}` : amount };
}

/** Whether a row ends with a day in a cell of its own and an amount: it stands in no column of the table below. */
function isDayAndAmount(cells: string[]): boolean {
  const [day, last] = cells.slice(-2).map(readNote);
  return day?.words === '' && day.days.length === 1 && last?.amounts.length === 1;
}

/**
 * Of the cells behind one that names a balance, a number alone may be its amount, as a workbook has it: "1234,5", and
 * "1500" where the row tells a day and no other amount.
 */
function notesOf(cells: string[]): ReturnType<typeof readNote>[] {
  const read = cells.map(readNote);
  const mayBeWhole =
    read.some(({ days }) => days.length > 0) && read.every(({ amounts }) => amounts.length === 0);
  return read.map((note, index) => {
    const cell = cells[index] ?? '';
    const isAmount = index > 0 && (mayBeWhole || /[.,]/.test(cell));
    return isAmount ? readNote(withCents(cell)) : note;
  });
}

/** "1500" and "1234,5" with two decimals; a longer number may be that of an account. */
function withCents(cell: string): string {
  const [, whole, cents = ''] = /^([+-]?\d{1,7})(?:[.,](\d))?$/.exec(cell.trim()) ?? [];
  return whole === undefined ? cell : `${whole},${cents.padEnd(2, '0')}`;
}

/** In francs, of another moment, of the days of value, with an overdraft facility or of several accounts. */
const otherBalance = new RegExp(
  [
    'franc|d[ée]but|initial|pr[ée]c[ée]dent|\\bancien\\b|ant[ée]rieur|ouverture|d[ée]part\\b',
    '\\breport(?:[ée]e?)?(?!\\p{L})|dernier (?:relev|arr[êe]t)|pr[ée]v[iu]|[àa] venir|mouvement',
    'disponible|valeur|moyen|minim|maxim|(?<!hors )encours|\\bcomptes\\b',
  ].join('|'),
  'iu',
);

const debtor = /\bd[ée]biteur\b|^(?:db?|d[ée]bit)$/i;
const creditor = /\bcr[ée]diteur\b|^(?:cr?|cr[ée]dit)$/i;

/** Whether a cell says nothing but what may stand between the word and its amount, or behind it. */
function isBesideAmount(words: string): boolean {
  const parts = words === '' ? [] : words.split(/\s+/);
  return parts.every((part) => /^[A-Z]{3}$/.test(part) || smallWord.test(part));
}

const smallWord =
  /^(?:au|le|en|euros?|[€$£:=]|d[ée]biteur|db?|d[ée]bit|cr[ée]diteur|cr?|cr[ée]dit)$/i;

interface CellNote {
  /** Null for each that does not exist. */
  days: (string | null)[];
  /** Null for each that is written like no amount, or whose sign is not certain. */
  amounts: (string | null)[];
  words: string;
}

/** Amounts are looked for in each cell alone: the one before may end with the number of an account. */
function readNote(cell: string): CellNote {
  const { days, rest } = takeDays(cell.replace(/[\u2010-\u2013\u2212]/g, '-'));
  const found = [...rest.matchAll(digitGroups)].filter(([digits]) => /[.,]\d/.test(digits));
  const amounts = found.map(({ 0: digits, index }) =>
    amountOf(digits, rest.slice(0, index), rest.slice(index + digits.length)),
  );
  const words = found.reduce((text, [digits]) => text.replace(digits, ' '), rest);
  return { days, amounts, words: words.replace(/[()+-]/g, ' ').trim() };
}

/** All that may be one amount, or a number and an amount behind it. */
const digitGroups = /\d(?:[\d\s.,'’]*\d)?/g;

/** "1 234,56", with "-" for one below zero. Null for what may be another amount. */
function amountOf(digits: string, before: string, after: string): string | null {
  const behind = after.replace(/^\s*(?:€|euros?\b|eur\b)/i, '');
  const [lead, trail] = [leadingSign.exec(before), trailingSign.exec(behind)];
  // A dash that belongs to the amount or parts it from the words beside it.
  const isUncertain = (!lead && /[+-]\s*$/.test(before)) || (!trail && /^\s*[+-]/.test(behind));
  const isOpened = /\(\s*[+-]?\s*$/.test(before);
  const isClosed = /^\s*[+-]?\s*\)/.test(behind);
  const isPart = /^\s*(?:%|(?:db?|cr?|d[ée]bit|cr[ée]dit)(?!\p{L}))/iu.test(behind);
  if (isUncertain || isOpened !== isClosed || isPart || (lead && trail)) return null;
  if (!/^(?:\d{1,3}(?:[\s.,'’]\d{3})+|\d+)[.,]\d{2}$/.test(digits)) return null;
  const isNegative = isOpened || (lead ?? trail)?.[0].includes('-');
  return `${isNegative ? '-' : ''}${digits}`;
}

const leadingSign = /(?:^|[^\p{L}\d])[+-]$|(?:^|[:=(])\s*[+-]\s+$/u;
const trailingSign = /^[+-](?![\p{L}\d])|^\s+[+-]\s*\)?\s*$/u;

/** "****1234;20/11/2026;;1 980,25 EUR": some banks write the account's line so, without the word. */
function bareBalance(cells: string[]): Stated | null {
  if (cells.some(namesBalance)) return null;
  const filled = cells.filter((cell) => cell !== '');
  const { amounts, words } = readNote(filled.at(-1) ?? '');
  const day = readDay(filled.at(-2) ?? '');
  const amount = amounts.length === 1 && isBesideAmount(words) ? amounts[0] : null;
  return amount && day && filled.slice(0, -2).some(isNumberAlone) ? { day, amount } : null;
}

/** Of an account, whole or with its beginning masked. */
function isNumberAlone(cell: string): boolean {
  const bare = cell.replace(/^compte\b(?:\s*n°)?|[\s:]/gi, '');
  const isDay = bare.length === 8 && readDay(bare) !== null;
  const isWhole = /^[0-9A-Z]*\d{5}[0-9A-Z]*$/i.test(bare) && !isDay;
  return isWhole || /^[*x•]+\d{3,}$/i.test(bare);
}

/**
 * When the file was made: "Date;20/11/2026", or the end of its period in a cell that says so. Null where
 * several days may be meant.
 */
function exportDay(preamble: Row[]): string | null {
  const cells = preamble
    .slice(0, 12)
    .flatMap(({ cells }) => cells.map((cell, at) => ({ cell, next: cells[at + 1] ?? '' })));
  const dates = cells.flatMap(({ cell, next }) => {
    if (!/\bdate\b/i.test(cell) || otherDate.test(cell)) return [];
    const written = /\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.exec(cell)?.[0];
    const day = readDay(written ?? '') ?? readDay(next);
    return day ? [{ day, isCertain: exportDate.test(cell) }] : [];
  });
  const all = new Set(dates.map(({ day }) => day));
  const certain = new Set(dates.flatMap(({ day, isCertain }) => (isCertain ? [day] : [])));
  const [day = null, ...others] = all.size > 1 ? certain : all;
  return others.length === 0 ? day : null;
}

const otherDate =
  /d[ée]but|ouverture|naissance|adh[ée]sion|cr[ée]ation du compte|dernier (?:relev|arr[êe]t)|pr[ée]c[ée]dent|prochain|[ée]ch[ée]ance/i;
const exportDate =
  /^\W*date[\W\d]*$|[ée]dition|t[ée]l[ée]chargement|export|arr[êe]t|\bfin\b|\bjour\b|relev[ée]|solde/i;
