import { readDay } from './days.ts';
import { normalNumber, type Row } from './statement.ts';

/** An account number that is named as such, or a cell that holds a whole IBAN or RIB and nothing else. */
export function statedNumber(preamble: Row[]): string | null {
  for (const { cells } of preamble) {
    const text = cells.join(' ');
    const alone = cells
      .map((cell) => cell.replace(/\s/g, ''))
      .find((cell) => wholeNumber.test(cell));
    const iban = /\b(?:FR|MC)\d{2}(?:\s?[0-9A-Z]{4}){5}\s?[0-9A-Z]{3}\b/.exec(text)?.[0];
    const number = [...cells.join('\t').matchAll(namedNumber)].find(isOfAccount)?.[2];
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
    return (
      totalWords.test(words) || (balanceWords.test(words) && (number === null || !isOther(at)))
    );
  };
  const otherAccount = rows.findIndex((row, at) => isOther(at) && !isFooter(row, at));
  const heading = rows.findIndex((row, at) => !isFooter(row, at));
  return [otherAccount, heading].find((at) => at >= 0) ?? rows.length;
}

const totalWords = /^(?:sous[\s-]*)?total/i;
const balanceWords = /^(?:(?:nouveau|ancien|dernier|votre|le)\s+)?solde\b/i;

const wholeNumber = /^(?:[A-Z]{2}\d{2}[0-9A-Z]{11,30}|\d{10}[0-9A-Z]{11}\d{2})$/;
const namedNumber = /(?:compte|n°|\bno\b|num[ée]ro)(\D{0,60}?)\b([0-9A-Z]{7,23})\b/gi;

/** The number of a customer, a telephone or a day stand in the same column. */
function isOfAccount({ 0: found, 1: words = '', 2: number = '', index, input }: RegExpExecArray) {
  const isDay = number.length === 8 && readDay(number) !== null;
  if (!/\d{5}/.test(number) || isDay || otherNumber.test(words)) return false;
  return /compte/i.test(found) || !endsWithOther.test(input.slice(0, index));
}

const otherNumberWords =
  'client|abonn|(?<!\\p{L})t[ée]l|contrat|identifiant|adh[ée]rent|soci[ée]taire|sire[nt]\\b|\\brcs\\b';
const otherNumber = new RegExp(otherNumberWords, 'iu');

/** "Client" before "n° 11223344", in the same cell or alone in the one before. */
const endsWithOther = new RegExp(
  `(?:${otherNumberWords})(?:[^\\d\\t]*|[^\\d\\t:]*:?\\s*\\t\\s*)$`,
  'iu',
);
