import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import { readDay, takeDays } from './days.ts';
import { normalNumber, type Row } from './statement.ts';

type Stated = NonNullable<StatementColumns['known']>;

/**
 * The balances that stand above or below a table, oldest first: "Solde au 20/11/2026 : 1 234,56 €", in one
 * cell or in several of one row, else an amount alone at the end of a row above, behind its date. `notes`
 * are the rows without a date: one with a date is a transaction, whose label may speak of a balance. `debit`
 * is the table's column of debits. None where the first can be read in two ways: the person is asked then.
 */
export function statedBalances(preamble: Row[], notes: Row[], debit: number | null): Stated[] {
  const day = exportDay(preamble);
  const named = [...preamble, ...notes].map(({ cells }) => namedBalance(cells, day, debit));
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
  const row = cells.slice(at).map(readNote);
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

/** An account number that is named as such, or a cell that holds a whole IBAN or RIB and nothing else. */
export function statedNumber(preamble: Row[]): string | null {
  for (const { cells } of preamble) {
    const text = cells.join(' ');
    const alone = cells.map((cell) => cell.replace(/\s/g, '')).find((cell) => whole.test(cell));
    const iban = /\b(?:FR|MC)\d{2}(?:\s?[0-9A-Z]{4}){5}\s?[0-9A-Z]{3}\b/.exec(text)?.[0];
    const number = [...cells.join('\t').matchAll(named)].find(isAccount)?.[2];
    const found = iban ?? alone ?? number;
    if (found) return normalNumber(found);
  }
  return null;
}

/**
 * How many of the rows between two tables still belong to the one above, whose account has this number: all
 * before the first one that names another account, else its totals and balances.
 */
export function countFooters(rows: Row[], number: string | null): number {
  const numbers = rows.map((row) => statedNumber([row]));
  const isOther = (at: number) => numbers[at] !== null && numbers[at] !== number;
  const isFooter = ({ cells }: Row, at: number) => {
    const words = cells.find((cell) => cell !== '') ?? '';
    return total.test(words) || (balanceFirst.test(words) && (number === null || !isOther(at)));
  };
  const other = rows.findIndex((row, at) => isOther(at) && !isFooter(row, at));
  const heading = rows.findIndex((row, at) => !isFooter(row, at));
  return [other, heading].find((at) => at >= 0) ?? rows.length;
}

const total = /^(?:sous[\s-]*)?total/i;
const balanceFirst = /^(?:(?:nouveau|ancien|dernier|votre|le)\s+)?solde\b/i;

const whole = /^(?:[A-Z]{2}\d{2}[0-9A-Z]{11,30}|\d{10}[0-9A-Z]{11}\d{2})$/;
const named = /(?:compte|n°|\bno\b|num[ée]ro)(\D{0,60}?)\b([0-9A-Z]{7,23})\b/gi;

/** The number of a customer, a telephone or a day stand in the same column. */
function isAccount({ 0: found, 1: words = '', 2: number = '', index, input }: RegExpExecArray) {
  const isDay = number.length === 8 && readDay(number) !== null;
  if (!/\d{5}/.test(number) || isDay || otherNumber.test(words)) return false;
  return /compte/i.test(found) || !endsWithOther.test(input.slice(0, index));
}

const other =
  'client|abonn|(?<!\\p{L})t[ée]l|contrat|identifiant|adh[ée]rent|soci[ée]taire|sire[nt]\\b|\\brcs\\b';
const otherNumber = new RegExp(other, 'iu');

/** "Client" before "n° 11223344", in the same cell or alone in the one before. */
const endsWithOther = new RegExp(`(?:${other})(?:[^\\d\\t]*|[^\\d\\t:]*:?\\s*\\t\\s*)$`, 'iu');
