import { isOldFigure } from '../banks/states.ts';
import type { AccountLine, AccountsBlock } from '../contract/messages.ts';
import { amountText, changeText, formatList, sumsOf } from './amounts.ts';
import type { Capacity } from './capacity.ts';
import { capitalize } from './capitalize.ts';
import { type Change, changeOf } from './changes.ts';
import { ageInMessage } from './days.ts';
import { type Duplicates, duplicateNote, duplicatesIn } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { bankNameOf, nameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { sinceLast, sinceOf } from './since.ts';
import { waitingMark } from './waiting.ts';

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
  const duplicates = duplicatesIn(accounts);
  const list = { data, duplicates, since: sinceMost(accounts, { data, duplicates }) };
  const banks = new Map<string, Bank>();
  const shown: MessageAccount[] = [];
  let room = roomLeft;
  let isFull = false;
  for (const account of accounts) {
    const name = neutralize(bankNameOf(account));
    const known = banks.get(name);
    const bank = known ?? { name, accounts: [], lines: [] };
    if (!known) banks.set(name, bank);
    bank.accounts.push(account);
    if (isFull) continue;
    const line = lineOf(account, list);
    room -= measure.account(line) + (bank.lines.length > 0 ? 0 : measure.bank(name));
    const count = shown.length + banks.size + 1;
    isFull = room < 0 || count > rows;
    if (isFull) continue;
    shown.push(account);
    bank.lines.push(line);
  }
  const named = [...banks.values()].filter(({ lines }) => lines.length > 0);
  const since = headingOf(
    list,
    named.flatMap((bank) => bank.accounts),
  );
  return {
    block: {
      type: 'accounts',
      since: since && capitalize(since),
      banks: named.map(({ name, lines, accounts: all }) => {
        return { name, lines, subtotal: subtotalOf(all, list) };
      }),
      more: moreText(accounts.length - shown.length, shown.length),
    },
    shown,
  };
}

/** The list without its last account, which is counted with those that are not named. */
export function withoutLastAccount(block: AccountsBlock): AccountsBlock {
  const last = block.banks.at(-1);
  if (!last) return block;
  const lines = last.lines.slice(0, -1);
  const banks = [...block.banks.slice(0, -1), ...(lines.length > 0 ? [{ ...last, lines }] : [])];
  const counted = Number(/\d+/.exec(block.more ?? '')?.[0] ?? 0) + 1;
  return { ...block, banks, more: moreText(counted, banks.length) };
}

/** Above the changes of accounts and banks; null where there are none. */
function headingOf(list: List, accounts: MessageAccount[]): string | null {
  if (!list.data.previous) return null;
  const { originalOf } = list.duplicates;
  const counted = accounts.filter((account) => !originalOf.has(account));
  const isCompared = counted.some((account) => isKnownChange(changeIn(account, list)));
  return isCompared ? list.since : null;
}

/** Since when all of them have changed; since the last message where that is not one day. */
function sinceMost(accounts: MessageAccount[], list: Omit<List, 'since'>): string {
  const counted = accounts.filter((account) => !list.duplicates.originalOf.has(account));
  const changed = counted.filter((account) => typeof changeIn(account, list) === 'number');
  const [only, another] = new Set(changed.map((account) => sinceIn(account, list)));
  return only !== undefined && another === undefined ? only : sinceLast(list.data);
}

function sinceIn(account: MessageAccount, { data, duplicates }: Omit<List, 'since'>): string {
  return sinceOf(account, data, duplicates.duplicatesOf.get(account));
}

interface Bank {
  name: string;
  /** All of them, also where the list is cut. */
  accounts: MessageAccount[];
  lines: AccountLine[];
}

interface List {
  data: MessageData;
  duplicates: Duplicates;
  /** What stands above the changes. */
  since: string;
}

function lineOf(account: MessageAccount, list: List): AccountLine {
  const { data, duplicates } = list;
  const { balanceMinor, currency, updatedAt } = account;
  const original = duplicates.originalOf.get(account);
  const waiting = waitingMark(account, data.connections);
  let age = ageInMessage(updatedAt, data.now, data.localZone);
  if (waiting) age += `, ${waiting}`;
  if (original) age += `, ${duplicateNote(original)}`;
  const earlier = original ? null : earlierSince(account, list);
  if (earlier) age += `, écart ${earlier}`;
  return {
    name: neutralize(nameOf(account)),
    amount: balanceMinor === null ? 'solde non communiqué' : amountText(balanceMinor, currency),
    change: original ? null : changeWords(changeIn(account, list), currency),
    ...(earlier && { isSinceEarlier: true }),
    age,
    isOverdrawn: isBelowZero(balanceMinor),
    isOld: waiting !== null || isOldFigure(updatedAt, data.now),
  };
}

function changeIn(account: MessageAccount, { data, duplicates }: Omit<List, 'since'>): Change {
  return changeOf(account, data.previous, duplicates.duplicatesOf.get(account));
}

function isBelowZero(minor: number | null): boolean {
  return minor !== null && minor < 0;
}

function isKnownChange(change: Change): change is number | 'new' {
  return typeof change === 'number' || change === 'new';
}

function changeWords(change: Change, currency: string): string | null {
  if (!isKnownChange(change)) return null;
  return change === 'new' ? 'nouveau' : changeText(change, currency);
}

/** Since when its balance has changed, where that is not what stands above the changes. */
function earlierSince(account: MessageAccount, list: List): string | null {
  if (typeof changeIn(account, list) !== 'number') return null;
  const since = sinceIn(account, list);
  return since === list.since ? null : since;
}

/** What several accounts hold together, each counted once; null where one of them is not known. */
function subtotalOf(all: MessageAccount[], list: List): AccountsBlock['banks'][number]['subtotal'] {
  const accounts = all.filter((account) => !list.duplicates.originalOf.has(account));
  const isKnown = accounts.every(({ balanceMinor }) => balanceMinor !== null);
  if (accounts.length < 2 || !isKnown) return null;
  const sums = sumsOf(accounts, ({ balanceMinor }) => balanceMinor ?? 0);
  const changes = accounts.flatMap((account) => {
    const change = changeIn(account, list);
    return typeof change === 'number' ? [{ change, currency: account.currency }] : [];
  });
  const changed = sumsOf(changes, ({ change }) => change).map(([minor, currency]) =>
    changeText(minor, currency),
  );
  return {
    amount: formatList(sums.map(([minor, currency]) => amountText(minor, currency))),
    change: changed.length > 0 ? formatList(changed) : null,
    isOverdrawn: sums.some(([minor]) => isBelowZero(minor)),
  };
}

function moreText(count: number, shown: number): string | null {
  if (count === 0) return shown === 0 ? 'Aucun compte' : null;
  return count === 1 ? 'et 1 autre compte' : `et ${count} autres comptes`;
}
