import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import { readDay } from './days.ts';
import { normalNumber, type Row } from './statement.ts';

/**
 * The balance that stands above or below a table: "Solde au 20/11/2026 : 1 234,56 €", in one cell or in
 * several of one row, else an amount alone at the end of a row above, behind its date. `notes` are the
 * rows without a date: one with a date is a transaction, whose label may speak of a balance.
 */
export function statedBalance(preamble: Row[], notes: Row[]): StatementColumns['known'] {
  const day = exportDay(preamble);
  const named = [...preamble, ...notes].map(({ cells }) => namedBalance(cells, day));
  const bare = preamble.map(({ cells }) => bareBalance(cells));
  return [...named, ...bare].find((known) => known !== null) ?? null;
}

function namedBalance(cells: string[], exported: string | null): StatementColumns['known'] {
  const at = cells.findIndex((cell) => /\bsolde\b/i.test(cell) && !otherBalance.test(cell));
  if (at < 0) return null;
  const text = cells.slice(at).join(' ');
  const written = /\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)(?!\d)|\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const amount = /[+-]?\s?\d[\d\s\u00a0\u202f.]*[,.]\d{2}(?!\d)/.exec(
    text.replace(written ?? '', ' '),
  )?.[0];
  const day = readDay(written ?? '') ?? exported;
  return day && amount ? { day, amount: amount.trim() } : null;
}

/** In francs, or of the beginning of the period. */
const otherBalance = /franc|d[ée]but|initial|pr[ée]c[ée]dent/i;

/** "…;20/11/2026;1 980,25 EUR": some banks write the account's line so, without the word. */
function bareBalance(cells: string[]): StatementColumns['known'] {
  const filled = cells.filter((cell) => cell !== '');
  const amount = /^([+-]?\d[\d\s\u00a0\u202f.]*[,.]\d{2})(?:\s*(?:EUR|€))?$/.exec(
    filled.at(-1) ?? '',
  )?.[1];
  const day = readDay(filled.at(-2) ?? '');
  return amount && day ? { day, amount } : null;
}

/** When the file was made: "Date;20/11/2026", or the end of its period in a cell that says so. */
function exportDay(preamble: Row[]): string | null {
  const cells = preamble
    .slice(0, 12)
    .flatMap(({ cells }) => cells.map((cell, at) => ({ cell, next: cells[at + 1] ?? '' })));
  const days = cells.flatMap(({ cell, next }) => {
    if (!/\bdate\b/i.test(cell) || /d[ée]but/i.test(cell)) return [];
    const written = /\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.exec(cell)?.[0];
    return readDay(written ?? '') ?? readDay(next) ?? [];
  });
  return days[0] ?? null;
}

/** An account number that is named as such, or a cell that holds a whole IBAN or RIB and nothing else. */
export function statedNumber(preamble: Row[]): string | null {
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
const named = /(?:compte|n°|\bno\b|num[ée]ro)(\D{0,60}?)\b([0-9A-Z]{7,23})\b/gi;

/** The number of a customer, a telephone or a day stand in the same column. */
function isAccount([, words = '', number = '']: RegExpExecArray): boolean {
  const isDay = number.length === 8 && readDay(number) !== null;
  return /\d{5}/.test(number) && !isDay && !/client|abonn|t[ée]l|contrat|identifiant/i.test(words);
}
