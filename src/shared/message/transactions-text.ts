import { decimalsOf } from '../money/minor-units.ts';
import { changeText, formatList, sumsOf } from './amounts.ts';
import { dayAndMonth } from './days.ts';
import { distinctAccounts } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { neutralize } from './neutralize.ts';
import { oneLine } from './one-line.ts';
import type {
  MessageTransaction,
  MessageTransactions,
  TransactionsChoice,
} from './transactions.ts';
import { isCutOff, waitingMark } from './waiting.ts';

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
  const unread = unreadBanks(given, covered);
  const missing = [
    ...[...Map.groupBy(unread.keys(), (name) => unread.get(name))].map(
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
  if (transactions.length === 0) {
    const isAnyKnown = covered.flat().some(({ isRead, isCutOff }) => isRead && !isCutOff);
    const isKnown = covered.length > 0 ? isAnyKnown : given.isRead;
    return `${noneText(isKnown, unread.size > 0 || Boolean(given.unread), missing.length > 0)}${note}`;
  }
  const words = `${countText(transactions.length)}\u202f: ${sumsText(transactions)}${note}`;
  return choice === 'lines' ? [words, ...linesOf(transactions)].join('\n') : words;
}

/** A covered account through one source, as far as its transactions were read. */
interface ReadAccount extends Pick<MessageAccount, 'id' | 'connectionId'> {
  bankName: string;
  isRead: boolean;
  /** Its source has no access to the bank any more, and goes on answering with what it had. */
  isCutOff: boolean;
  /** What its owner is to do; null for nothing. */
  mark: string | null;
}

function readAccount(
  account: MessageAccount,
  { isRead, read, failed, unable }: MessageTransactions,
  connections: MessageData['connections'],
): ReadAccount {
  const { id, connectionId } = account;
  const bankName = account.bank.name;
  const isOfReadBank = isRead && !failed.includes(bankName) && !unable.includes(bankName);
  return {
    ...{ id, connectionId, bankName },
    isRead: read?.includes(id) ?? isOfReadBank,
    isCutOff: isCutOff(account, connections),
    mark: waitingMark(account, connections),
  };
}

/**
 * The names of the banks that could not be read, and of those that are cut off and brought nothing, with what is to
 * be done; undefined where there is nothing to do.
 */
function unreadBanks(
  { failed, transactions }: MessageTransactions,
  covered: ReadAccount[][],
): Map<string, string | undefined> {
  const told = new Set(transactions.map(({ accountId }) => accountId));
  const heard = new Set(
    covered.flat().flatMap(({ id, connectionId }) => (told.has(id) ? [connectionId] : [])),
  );
  const ofFailed = failed.map((bankName) => {
    const accounts = covered.flat().filter((one) => !one.isRead && one.bankName === bankName);
    return { bankName, mark: accounts.find(({ mark }) => mark !== null)?.mark ?? null };
  });
  const cutOff = covered.flatMap((sources) => {
    const read = sources.filter(({ isRead }) => isRead);
    const isKnown = read.some((one) => !one.isCutOff || heard.has(one.connectionId));
    return isKnown ? [] : read.filter(({ bankName }) => !failed.includes(bankName));
  });
  return new Map(
    [...ofFailed, ...cutOff].map(({ bankName, mark }) => [bankName, mark ?? undefined]),
  );
}

/** Accounts of which nothing is known may be those that have transactions. */
function noneText(isAnyKnown: boolean, isPartial: boolean, isIncomplete: boolean): string {
  if (isIncomplete && !isAnyKnown) return 'opérations non lues';
  return isPartial ? 'aucune opération sur les comptes lus' : 'aucune opération';
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
