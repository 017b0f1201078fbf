import { decimalsOf } from '../money/minor-units.ts';
import { changeText, formatList, sumsOf } from './amounts.ts';
import { dayAndMonth } from './days.ts';
import { neutralize } from './neutralize.ts';
import { oneLine } from './one-line.ts';

/**
 * How much of the transactions a notification tells: nothing, a count with two sums, or five lines more.
 */
export const transactionsChoices = ['off', 'sums', 'lines'] as const;
export type TransactionsChoice = (typeof transactionsChoices)[number];

/** One movement on an account. */
export interface MessageTransaction {
  /** The account, by our number. */
  accountId: number;
  /** YYYY-MM-DD, as the bank booked it. */
  day: string;
  /** In minor units: negative for money that left. */
  minor: number;
  /** ISO 4217. */
  currency: string;
  /** As the bank writes it. */
  label: string;
}

/** What was read before a message: the transactions that no earlier message has told. */
export interface MessageTransactions {
  transactions: MessageTransaction[];
  /** At least one bank answered. */
  isRead: boolean;
  /** The names of banks that could not be read, and of those that tell no transactions. */
  failed: string[];
  unable: string[];
  /** How many accounts the message covers that it did not cover when it was read. */
  unread?: number;
  /** The first day (YYYY-MM-DD) that was read, where some before it were told by no message. */
  since?: string | undefined;
}

const maxLines = 5;

/**
 * "5 opérations : +1 200,00 €, −340,50 €", with the five largest below it where they are chosen. `waiting`: what is
 * to be done about the banks that wait for their owner, by their names.
 */
export function transactionsText(
  given: MessageTransactions | null,
  choice: TransactionsChoice,
  isCovered: (accountId: number) => boolean,
  waiting: ReadonlyMap<string, string>,
): string {
  if (choice === 'off') return 'opérations non affichées';
  if (!given) return 'opérations non lues';
  const transactions = given.transactions.filter(({ accountId }) => isCovered(accountId));
  const missing = [
    ...[...Map.groupBy(given.failed, (name) => waiting.get(name))].map(
      ([mark, names]) =>
        `sans ${formatList(names.map(neutralize))}, ${mark ?? `qui ne répond${names.length > 1 ? 'ent' : ''} pas`}`,
    ),
    given.unable.length > 0 &&
      `sans ${formatList(given.unable.map(neutralize))}, qui ne les communique${given.unable.length > 1 ? 'nt' : ''} pas`,
    given.unread === 1 && "sans un compte, qui n'a pas encore été lu",
    (given.unread ?? 0) > 1 && `sans ${given.unread} comptes, qui n'ont pas encore été lus`,
  ].filter((note) => typeof note === 'string');
  const notes = given.since ? [`depuis le ${dayWords(given.since)}`, ...missing] : missing;
  const note = notes.length > 0 ? ` (${notes.join('\u202f; ')})` : '';
  if (transactions.length === 0) return `${noneText(given, missing.length > 0)}${note}`;
  const words = `${countText(transactions.length)}\u202f: ${sumsText(transactions)}${note}`;
  return choice === 'lines' ? [words, ...linesOf(transactions)].join('\n') : words;
}

/** Accounts of which nothing is known, as they could not be read, may be those that have transactions. */
function noneText({ isRead, failed, unread }: MessageTransactions, isIncomplete: boolean): string {
  if (isIncomplete && !isRead) return 'opérations non lues';
  return failed.length > 0 || unread ? 'aucune opération sur les comptes lus' : 'aucune opération';
}

function dayWords(day: string): string {
  return dayAndMonth(new Date(day), { zone: null, offsetMinutes: 0 });
}

function countText(count: number): string {
  return count === 1 ? '1 opération' : `${count} opérations`;
}

/** What came in and what went out, by currency; nothing where no money moved. */
function sumsText(transactions: MessageTransaction[]): string {
  const sums = (isWanted: (minor: number) => boolean) =>
    sumsOf(
      transactions.filter(({ minor }) => isWanted(minor)),
      ({ minor }) => minor,
    );
  const moved = [...sums((minor) => minor > 0), ...sums((minor) => minor < 0)];
  const told = moved.length > 0 ? moved : sums(() => true);
  return told.map(([minor, currency]) => changeText(minor, currency)).join(', ');
}

/** The largest, by amount alone whatever the currency. */
function linesOf(transactions: MessageTransaction[]): string[] {
  const largest = transactions
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, maxLines);
  const rest = transactions.length - largest.length;
  return [
    ...largest.map(
      ({ minor, currency, label }) =>
        `• ${changeText(minor, currency)}\u00a0 ${neutralize(oneLine(label, maxLabelLength) || 'sans libellé')}`,
    ),
    ...(rest > 0 ? [rest === 1 ? 'et 1 autre' : `et ${rest} autres`] : []),
  ];
}

/** In the main unit of its currency. */
function sizeOf({ minor, currency }: MessageTransaction): number {
  return Math.abs(minor) / 10 ** decimalsOf(currency);
}

const maxLabelLength = 40;
