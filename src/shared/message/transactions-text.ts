import { decimalsOf } from '../money/minor-units.ts';
import { changeText, formatList, sumsOf } from './amounts.ts';
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
import { waitingMark } from './waiting.ts';

const maxLines = 5;

/** "5 opérations : +1 200,00 €, −340,50 €", with the five largest below it where they are chosen. */
export function transactionsText(
  given: MessageTransactions | null,
  choice: TransactionsChoice,
  data: BanksData,
): string {
  if (choice === 'off') return 'opérations non affichées';
  if (!given) return 'opérations non lues';
  const accounts = coveredOf(data);
  const transactions = given.transactions.filter(({ accountId }) =>
    accounts.some(({ ids }) => ids.includes(accountId)),
  );
  const silent = silentBanks(given, accounts);
  const missing = [
    ...[...Map.groupBy(silent.keys(), (name) => silent.get(name))].map(
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
  if (transactions.length === 0) return `${noneText(given, accounts, silent)}${note}`;
  const words = `${countText(transactions.length)}\u202f: ${sumsText(transactions)}${note}`;
  return choice === 'lines' ? [words, ...linesOf(transactions)].join('\n') : words;
}

type BanksData = Pick<MessageData, 'accounts' | 'connections'>;

/** An account that the message covers, through whichever sources it comes. */
interface CoveredAccount {
  bankNames: string[];
  /** By our numbers. */
  ids: number[];
  /** What its owner is to do, once for each source; null for one that needs nobody. */
  marks: (string | null)[];
}

function coveredOf({ accounts, connections }: BanksData): CoveredAccount[] {
  return distinctAccounts(accounts).map(({ account, duplicates }) => {
    const all = [account, ...duplicates];
    return {
      bankNames: all.map(({ bank }) => bank.name),
      ids: all.map(({ id }) => id),
      marks: all.map((one) => waitingMark(one, connections)),
    };
  });
}

/** A service goes on answering for a bank that it has no access to: with what it had before. */
function isSilent({ marks }: CoveredAccount): boolean {
  return marks.every((mark) => mark !== null);
}

/**
 * The names of the banks that could not be read, and of those that wait for their owner and brought nothing, with
 * what is to be done; undefined where the bank does not answer.
 */
function silentBanks(
  { failed, unable, transactions }: MessageTransactions,
  accounts: CoveredAccount[],
): Map<string, string | undefined> {
  const isTold = ({ ids }: CoveredAccount) =>
    transactions.some(({ accountId }) => ids.includes(accountId));
  const waiting = accounts.filter((account) => isSilent(account) && !isTold(account));
  const names = [...failed, ...waiting.flatMap(({ bankNames }) => bankNames[0] ?? [])];
  const markOf = (name: string) =>
    accounts
      .flatMap(({ bankNames, marks }) => marks.filter((_mark, at) => bankNames[at] === name))
      .find((mark) => mark !== null);
  const told = names.filter((name) => failed.includes(name) || !unable.includes(name));
  return new Map(told.map((name) => [name, markOf(name) ?? undefined]));
}

/** Accounts of which nothing is known, as they could not be read, may be those that have transactions. */
function noneText(
  { isRead, failed, unable, unread }: MessageTransactions,
  accounts: CoveredAccount[],
  silent: ReadonlyMap<string, unknown>,
): string {
  const isKnown = (account: CoveredAccount) =>
    !isSilent(account) && !failed.includes(account.bankNames[0] ?? '');
  const isAnyKnown = isRead && (accounts.length === 0 || accounts.some(isKnown));
  const isIncomplete = silent.size > 0 || Boolean(unread);
  if (!isAnyKnown && (isIncomplete || unable.length > 0)) return 'opérations non lues';
  return isIncomplete ? 'aucune opération sur les comptes lus' : 'aucune opération';
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
