import { decimalsOf } from '../money/minor-units.ts';
import { changeText, sumsOf } from './amounts.ts';
import { dayAndMonth } from './days.ts';
import { distinctAccounts } from './duplicates.ts';
import type { MessageData } from './figures.ts';
import { neutralize } from './neutralize.ts';
import { oneLine } from './one-line.ts';
import type {
  MessageTransaction,
  MessageTransactions,
  TransactionsChoice,
} from './transactions.ts';
import { asideOf, gapsOf, readAccount, sentenceOf } from './transactions-gaps.ts';

const maxLines = 5;

/** "5 opérations : +1 200,00 €, −340,50 €", with the five largest below it where they are chosen. */
export function transactionsText(
  given: MessageTransactions | null,
  choice: TransactionsChoice,
  { accounts, connections }: Pick<MessageData, 'accounts' | 'connections'>,
): string {
  if (choice === 'off') return 'opérations non affichées';
  if (!given) return 'opérations non lues';
  const covered = distinctAccounts(accounts).map(({ account, duplicates }) =>
    [account, ...duplicates].map((one) => readAccount(one, given, connections)),
  );
  const ids = new Set(covered.flat().map(({ id }) => id));
  const transactions = given.transactions.filter(({ accountId }) => ids.has(accountId));
  const gaps = gapsOf(given, covered);
  const since = given.since && `depuis le ${dayWords(given.since)}`;
  const asides = [since, ...gaps.map(asideOf)].filter((aside) => aside !== undefined);
  const note = asides.length > 0 ? ` (${asides.join('\u202f; ')})` : '';
  if (transactions.length === 0) {
    const isAnyKnown = covered.flat().some(({ isRead, isCutOff }) => isRead && !isCutOff);
    const isKnown = covered.length > 0 ? isAnyKnown : given.isRead;
    if (gaps.length > 0 && !isKnown) {
      const why = gaps.map(sentenceOf).join('\u202f; ');
      return `opérations non lues${since ? ` ${since}` : ''}\u202f: ${why}`;
    }
    // Accounts of which nothing is known may be those that have transactions.
    const isPartial = gaps.some((gap) => !gap.isUnable);
    return `${isPartial ? 'aucune opération sur les comptes lus' : 'aucune opération'}${note}`;
  }
  const words = `${countText(transactions.length)}\u202f: ${sumsText(transactions)}${note}`;
  return choice === 'lines' ? [words, ...linesOf(transactions)].join('\n') : words;
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
