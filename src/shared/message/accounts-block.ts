import type { AccountLine, AccountsBlock } from '../contract/messages.ts';
import { amountText, changeText, inWords, sumsOf } from './amounts.ts';
import type { Capacity } from './capacity.ts';
import { ageInMessage, sinceDay } from './days.ts';
import { distinctAccounts, duplicateNotes } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { bankNameOf, nameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { changeOf, isOld, waitingMark } from './values.ts';

/**
 * A line for each of these accounts, by bank, as many as the chat's list has rows for and as find room in
 * `roomLeft` of its capacity; the others are counted. `shown`: those that have a line.
 */
export function accountsBlock(
  accounts: MessageAccount[],
  data: MessageData,
  { measure, rows }: Capacity,
  roomLeft: number,
): { block: AccountsBlock; shown: MessageAccount[] } {
  const { previous, now, localZone } = data;
  const distinct = new Map(
    distinctAccounts(accounts).map(({ account, duplicates }) => [account, duplicates]),
  );
  const notes = duplicateNotes(accounts);
  const byBank = Map.groupBy(accounts, (account) => neutralize(bankNameOf(account)));
  const banks = new Map<string, AccountLine[]>();
  let room = roomLeft;
  const shown: MessageAccount[] = [];
  for (const account of accounts) {
    const name = neutralize(bankNameOf(account));
    const known = banks.get(name);
    const line = lineOf(account, data, distinct.get(account), notes.get(account));
    room -= measure.account(line) + (known ? 0 : measure.bank(name));
    const count = shown.length + banks.size + (known ? 1 : 2);
    if (room < 0 || count > rows) break;
    shown.push(account);
    if (known) known.push(line);
    else banks.set(name, [line]);
  }
  const since = previous && sinceDay(previous.day, now, localZone);
  return {
    block: {
      type: 'accounts',
      since: since && capital(since),
      banks: [...banks].map(([name, lines]) => ({
        name,
        lines,
        // Of all its accounts, also where the list is cut.
        subtotal: subtotalOf(byBank.get(name) ?? [], distinct, previous),
      })),
      more: moreText(accounts.length - shown.length, shown.length),
    },
    shown,
  };
}

/** `duplicates` is missing where a total leaves the account out, and `note` then says why. */
function lineOf(
  account: MessageAccount,
  data: MessageData,
  duplicates: MessageAccount[] | undefined,
  note: string | undefined,
): AccountLine {
  const { balanceMinor, currency, updatedAt } = account;
  const age = ageInMessage(updatedAt, data.now, data.localZone);
  const waiting = waitingMark(account, data.items);
  return {
    name: neutralize(nameOf(account)),
    amount: balanceMinor === null ? 'solde non communiqué' : amountText(balanceMinor, currency),
    change: duplicates ? changeWords(changeOf(account, data.previous, duplicates), currency) : null,
    age: [age, waiting, note].filter(Boolean).join(', '),
    isOverdrawn: isBelowZero(balanceMinor),
    isOld: waiting !== null || isOld(account, data.now),
  };
}

function isBelowZero(minor: number | null): boolean {
  return minor !== null && minor < 0;
}

function changeWords(change: number | 'new' | null, currency: string): string | null {
  return typeof change === 'number' ? changeText(change, currency) : change && 'nouveau';
}

/** What several accounts hold together, each counted once; null where one of them is not known. */
function subtotalOf(
  all: MessageAccount[],
  distinct: Map<MessageAccount, MessageAccount[]>,
  previous: MessageData['previous'],
): AccountsBlock['banks'][number]['subtotal'] {
  const accounts = all.filter((account) => distinct.has(account));
  const isKnown = accounts.every(({ balanceMinor }) => balanceMinor !== null);
  if (accounts.length < 2 || !isKnown) return null;
  const sums = sumsOf(accounts.map(({ balanceMinor, currency }) => [balanceMinor ?? 0, currency]));
  const changes = accounts.flatMap((account) => {
    const change = changeOf(account, previous, distinct.get(account));
    return typeof change === 'number'
      ? [[change, account.currency] satisfies [number, string]]
      : [];
  });
  const changed = sumsOf(changes).map(([minor, currency]) => changeText(minor, currency));
  return {
    amount: inWords(sums.map(([minor, currency]) => amountText(minor, currency))),
    change: changed.length > 0 ? inWords(changed) : null,
    isOverdrawn: sums.some(([minor]) => isBelowZero(minor)),
  };
}

function moreText(count: number, shown: number): string | null {
  if (count === 0) return shown === 0 ? 'Aucun compte' : null;
  return count === 1 ? 'et 1 autre compte' : `et ${count} autres comptes`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
