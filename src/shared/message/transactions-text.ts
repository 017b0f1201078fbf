import { decimalsOf } from '../money/minor-units.ts';
import { changeText, formatList, sumsOf } from './amounts.ts';
import {
  type BanksData,
  type CoveredBank,
  coveredBanks,
  failureOf,
  type Silence,
} from './covered-banks.ts';
import { dayAndMonth } from './days.ts';
import { neutralize } from './neutralize.ts';
import { oneLine } from './one-line.ts';
import type {
  MessageTransaction,
  MessageTransactions,
  TransactionsChoice,
} from './transactions.ts';

const maxLines = 5;

/** "5 opérations : +1 200,00 €, −340,50 €", with the five largest below it where they are chosen. */
export function transactionsText(
  given: MessageTransactions | null,
  choice: TransactionsChoice,
  data: BanksData,
): string {
  if (choice === 'off') return 'opérations non affichées';
  if (!given) return 'opérations non lues';
  const banks = coveredBanks(data);
  const transactions = given.transactions.filter(({ accountId }) =>
    banks.some(({ ids }) => ids.has(accountId)),
  );
  const silences = silencesOf(given, banks, data);
  const missing = [
    ...withoutText(silences),
    given.unable.length > 0 &&
      `sans ${formatList(given.unable.map(neutralize))}, qui ne les communique${given.unable.length > 1 ? 'nt' : ''} pas`,
    given.unread === 1 && "sans un compte, qui n'a pas encore été lu",
    (given.unread ?? 0) > 1 && `sans ${given.unread} comptes, qui n'ont pas encore été lus`,
  ].filter((note) => typeof note === 'string');
  const notes = given.since ? [`depuis le ${dayWords(given.since)}`, ...missing] : missing;
  const note = notes.length > 0 ? ` (${notes.join('\u202f; ')})` : '';
  if (transactions.length === 0) {
    const left = banks.filter(({ name }) => !silences.has(name) && !given.unable.includes(name));
    const isHeard = given.isRead && (banks.length === 0 || left.length > 0);
    if (missing.length > 0 && !isHeard) return `opérations non lues${note}`;
    const isPartial = silences.size > 0 || given.unread;
    return `${isPartial ? 'aucune opération sur les comptes lus' : 'aucune opération'}${note}`;
  }
  const words = `${countText(transactions.length)}\u202f: ${sumsText(transactions)}${note}`;
  return choice === 'lines' ? [words, ...linesOf(transactions)].join('\n') : words;
}

/**
 * Banks that could not be read, and those that gave their service nothing to tell: accounts of which nothing is
 * known may be those that have transactions.
 */
function silencesOf(
  { failed, unable, transactions }: MessageTransactions,
  banks: CoveredBank[],
  data: BanksData,
): Map<string, Silence> {
  const silences = new Map(failed.map((name) => [name, failureOf(name, data)]));
  for (const { name, ids, silence } of banks) {
    const isTold = transactions.some(({ accountId }) => ids.has(accountId));
    if (!silence || isTold || silences.has(name) || unable.includes(name)) continue;
    silences.set(name, silence);
  }
  return silences;
}

/** "sans LCL et Fortuneo, qui ne répondent pas": one for each way of being silent. */
function withoutText(silences: ReadonlyMap<string, Silence>): string[] {
  const wordsOf = (silence: Silence, isOne: boolean) => {
    if (silence === 'unanswered') return isOne ? 'qui ne répond pas' : 'qui ne répondent pas';
    if (silence !== 'nothing-new') return silence.mark;
    return `qui n'${isOne ? 'a' : 'ont'} rien donné de nouveau`;
  };
  const alike = Map.groupBy(silences, ([, silence]) => wordsOf(silence, true));
  return [...alike.values()].map((banks) => {
    const names = formatList(banks.map(([name]) => neutralize(name)));
    const [words] = banks.map(([, silence]) => wordsOf(silence, banks.length === 1));
    return `sans ${names}, ${words}`;
  });
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
