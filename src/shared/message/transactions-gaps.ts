import { formatList } from './amounts.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { neutralize } from './neutralize.ts';
import type { MessageTransactions } from './transactions.ts';
import { isCutOff, waitingMark } from './waiting.ts';

/** Accounts whose transactions are not known, and why. */
export interface Gap {
  /** "LCL et Fortuneo", "2 comptes". */
  names: string;
  isSeveral: boolean;
  why: Why;
  /** Their source tells none at all: that they are missing is no surprise. */
  isUnable: boolean;
}

type Why = { verb: [of: string, ofSeveral: string] } | { mark: string };

const silent: Why = { verb: ['ne répond pas', 'ne répondent pas'] };
const unable: Why = { verb: ['ne les communique pas', 'ne les communiquent pas'] };
const unread: Why = { verb: ["n'a pas encore été lu", "n'ont pas encore été lus"] };

/** "LCL est à reconnecter". */
export function sentenceOf({ names, isSeveral, why }: Gap): string {
  if ('mark' in why) return `${names} ${isSeveral ? 'sont' : 'est'} ${why.mark}`;
  return `${names} ${why.verb[isSeveral ? 1 : 0]}`;
}

/** "sans LCL, à reconnecter", beside what is known of others. */
export function asideOf({ names, isSeveral, why }: Gap): string {
  return `sans ${names}, ${'mark' in why ? why.mark : `qui ${why.verb[isSeveral ? 1 : 0]}`}`;
}

/** `covered`: each account that the notification covers, as it is read through each of its sources. */
export function gapsOf(given: MessageTransactions, covered: ReadAccount[][]): Gap[] {
  const marks = unreadBanks(given, covered);
  const byMark = Map.groupBy(marks.keys(), (name) => marks.get(name));
  const ofBanks = (names: string[], why: Why) => ({
    names: formatList(names.map(neutralize)),
    isSeveral: names.length > 1,
    ...{ why, isUnable: why === unable },
  });
  const { unread: count = 0 } = given;
  return [
    ...[...byMark].map(([mark, names]) => ofBanks(names, mark === undefined ? silent : { mark })),
    ...(given.unable.length > 0 ? [ofBanks(given.unable, unable)] : []),
    ...(count > 0
      ? [
          {
            names: count === 1 ? 'un compte' : `${count} comptes`,
            ...{ isSeveral: count > 1, why: unread, isUnable: false },
          },
        ]
      : []),
  ];
}

/** A covered account through one source, as far as its transactions were read. */
export interface ReadAccount extends Pick<MessageAccount, 'id' | 'connectionId'> {
  bankName: string;
  isRead: boolean;
  /** Its source has no access to the bank any more, and goes on answering with what it had. */
  isCutOff: boolean;
  /** What its owner is to do; null for nothing. */
  mark: string | null;
}

export function readAccount(
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
