import { isOldFigure } from '../banks/states.ts';
import { amountText, changeText, formatList, sumsOf } from './amounts.ts';
import { changeOf } from './changes.ts';
import { ageInMessage, dayAndHour, longDate } from './days.ts';
import { distinctAccounts } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { accountsNamed, bankNameOf, nameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { sinceLast, sinceOf } from './since.ts';
import { transactionsText } from './transactions-text.ts';
import type { PlainVariable } from './variables.ts';
import { waitingNote } from './waiting.ts';

/** The text that replaces a variable, except `soldes`, which is a list. */
export function variableValue(name: Exclude<PlainVariable, 'soldes'>, data: MessageData): string {
  switch (name) {
    case 'total':
      return totalText(data);
    case 'variation':
      return variationText(data);
    case 'date':
      return longDate(data.now, data.localZone);
    case 'banque':
      return banksText(data);
    case 'operations':
      return transactionsText(data.transactions, data.transactionsChoice, data);
  }
}

/** The balance of the named account, which may have disappeared since the text was saved. */
export function accountValue(name: string, data: MessageData): string {
  const [account, second] = accountsNamed(name, data.accounts);
  if (!account) return `compte «\u202f${neutralize(name)}\u202f» introuvable`;
  if (second) return `plusieurs comptes «\u202f${neutralize(name)}\u202f»`;
  const waiting = waitingNote(account, data.connections);
  if (account.balanceMinor === null) {
    return waiting ? `solde non communiqué (${waiting})` : 'solde non communiqué';
  }
  const old = isOldFigure(account.updatedAt, data.now)
    ? `dernier solde connu, ${ageOf(account, data)}`
    : null;
  const notes = [waiting, old].filter((note) => note !== null).join(', ');
  const amount = amountText(account.balanceMinor, account.currency);
  return notes ? `${amount} (${notes})` : amount;
}

/** When each bank gave the balances of these accounts, by the oldest of them; null without any. */
export function asOfText(
  accounts: MessageAccount[],
  { now, localZone }: MessageData,
): string | null {
  const known = accounts.filter(({ balanceMinor }) => balanceMinor !== null);
  if (known.length === 0) return null;
  const banks = [...Map.groupBy(known, bankNameOf)].map(([name, ofBank]) => {
    const oldest = oldestOf(ofBank);
    return `par ${neutralize(name)} ${oldest ? dayAndHour(oldest, now, localZone) : 'à une date inconnue'}`;
  });
  return `Soldes donnés ${bankList(banks)}`;
}

export function coveredAccounts({ accounts }: Pick<MessageData, 'accounts'>): MessageAccount[] {
  return accounts.filter(({ covered }) => covered);
}

function totalText(data: MessageData): string {
  const covered = distinctAccounts(data.accounts).map(({ account }) => account);
  const known = covered.filter(({ balanceMinor }) => balanceMinor !== null);
  const sums = sumsOf(known, ({ balanceMinor }) => balanceMinor ?? 0);
  const missing = covered.length - known.length;
  if (known.length === 0) return missing > 0 ? 'soldes non communiqués' : 'aucun compte';
  // First what is in the sum: behind what is left out, "dont" would be read as a part of that.
  const notes = [
    oldNote(known, data),
    missing > 0 &&
      `sans ${missing} ${missing > 1 ? 'soldes non communiqués' : 'solde non communiqué'}`,
  ].filter((note) => typeof note === 'string');
  const amounts = formatList(sums.map(([minor, currency]) => amountText(minor, currency)));
  return notes.length > 0 ? `${amounts} (${notes.join('\u202f; ')})` : amounts;
}

function oldNote(accounts: MessageAccount[], data: MessageData): string | null {
  const old = accounts.filter((account) => isOldFigure(account.updatedAt, data.now));
  if (old.length === 0) return null;
  const count =
    old.length === 1 ? 'dont un dernier solde connu' : `dont ${old.length} derniers soldes connus`;
  return `${count}, ${ageOf({ updatedAt: oldestOf(old) }, data)}`;
}

function ageOf({ updatedAt }: Pick<MessageAccount, 'updatedAt'>, data: MessageData): string {
  return ageInMessage(updatedAt, data.now, data.localZone);
}

/**
 * The change of the accounts that have a balance both now and in the last delivered message, and which
 * accounts that leaves out: one that was added or is gone is not a rise or fall. Before the first message
 * it is the change since yesterday, as the home page says it.
 */
function variationText(data: MessageData): string {
  const { previous } = data;
  const distinct = distinctAccounts(data.accounts);
  if (distinct.length === 0) return 'rien à comparer';
  const compared = distinct.map(({ account, duplicates }) => ({
    change: changeOf(account, previous, duplicates),
    currency: account.currency,
    account,
    since: sinceOf(account, data, duplicates),
  }));
  const changes = compared.flatMap(({ change, ...one }) =>
    typeof change === 'number' ? [{ change, ...one }] : [],
  );
  if (!previous || (previous.isBeforeFirst && changes.length === 0)) {
    return "évolution visible dès le prochain envoi (soldes d'hier inconnus)";
  }
  const since = changes.length === 0 ? sinceLast(data) : sinceEach(changes, data);
  const about = coverage(changes.length, distinct.length) + movesText(data, distinct, previous);
  if (changes.length === 0) {
    const isSilent = compared.every(({ change }) => change === 'not renewed');
    return `aucun solde ${isSilent ? 'plus récent' : 'comparable'} ${since}${about}`;
  }
  const sums = sumsOf(changes, ({ change }) => change);
  const isSame = sums.every(([minor]) => minor === 0);
  const words = sums.map(([minor, currency]) => changeText(minor, currency));
  return `${isSame ? 'sans changement' : formatList(words)} ${since}${about}`;
}

/** "depuis hier", or "depuis hier (depuis lundi pour LCL)": what the changes are measured from. */
function sinceEach(
  changes: { account: MessageAccount; since: string }[],
  data: MessageData,
): string {
  const last = sinceLast(data);
  const groups = Map.groupBy(changes, ({ since }) => since);
  const [only, another] = groups.keys();
  if (only !== undefined && another === undefined) return only;
  const ofBanks = Map.groupBy(changes, ({ account }) => bankNameOf(account));
  // A bank by its name where all that changed there has changed since one day.
  const nameIn = ({ account, since }: (typeof changes)[number]) => {
    const ofBank = ofBanks.get(bankNameOf(account)) ?? [];
    return ofBank.every((one) => one.since === since) ? bankNameOf(account) : nameOf(account);
  };
  const notes = [...groups].flatMap(([since, ofDay]) => {
    const names = new Set(ofDay.map((one) => neutralize(nameIn(one))));
    return since === last ? [] : [`${since} pour ${formatList([...names])}`];
  });
  return groups.has(last) ? `${last} (${notes.join('\u202f; ')})` : formatList(notes);
}

/** ", sur 1 compte sur 3"; empty where the change is that of all of them, or of none. */
function coverage(compared: number, all: number): string {
  if (compared === 0 || compared === all) return '';
  return `, sur ${compared} compte${compared > 1 ? 's' : ''} sur ${all}`;
}

/** " (nouveau : Livret ; retiré : Joint)"; before the first message nothing was added or is gone. */
function movesText(
  { accounts }: MessageData,
  distinct: ReturnType<typeof distinctAccounts>,
  previous: NonNullable<MessageData['previous']>,
): string {
  if (previous.isBeforeFirst) return '';
  const added = distinct.flatMap(({ account, duplicates }) =>
    changeOf(account, previous, duplicates) === 'new' ? [account] : [],
  );
  const ids = new Set(coveredAccounts({ accounts }).map(({ id }) => String(id)));
  const before = Map.groupBy(Object.entries(previous.balances), ([id, [, , duplicateOf]]) =>
    String(duplicateOf ?? id),
  );
  const gone = [...before].filter(([, all]) => all.every(([id]) => !ids.has(id)));
  const goneNames = gone.map(([id]) => {
    const name =
      accounts.find((account) => String(account.id) === id)?.name ?? previous.unlisted?.[id];
    return name === undefined ? undefined : nameOf({ name });
  });
  const words = [
    moved('nouveau', 'nouveaux', added.map(nameOf)),
    moved('retiré', 'retirés', goneNames),
  ];
  const said = words.filter((word) => word !== null);
  return said.length > 0 ? ` (${said.join('\u202f; ')})` : '';
}

/** By their names where there are one or two, and all of them are known. */
function moved(one: string, several: string, names: (string | undefined)[]): string | null {
  if (names.length === 0) return null;
  const word = names.length === 1 ? one : several;
  const known = names.filter((name) => name !== undefined);
  if (known.length === names.length && known.length <= 2)
    return `${word}\u202f: ${formatList(known.map(neutralize))}`;
  return `${names.length} compte${names.length > 1 ? 's' : ''} ${word}`;
}

function banksText(data: MessageData): string {
  const names = [...new Set(coveredAccounts(data).map(bankNameOf))].map(neutralize);
  return bankList(names) || 'aucune banque';
}

/** Null if one account has no date, because it may be the oldest. */
function oldestOf(accounts: MessageAccount[]): Date | null {
  let oldest: Date | null = null;
  for (const { updatedAt } of accounts) {
    if (!updatedAt) return null;
    // As numbers: dates would be made primitives for each comparison.
    if (!oldest || updatedAt.getTime() < oldest.getTime()) oldest = updatedAt;
  }
  return oldest;
}

/** Ten of them in words, and the number of the others. */
export function bankList(banks: string[]): string {
  const rest = banks.length - 10;
  if (rest <= 0) return formatList(banks);
  return formatList([
    ...banks.slice(0, 10),
    rest === 1 ? '1 autre banque' : `${rest} autres banques`,
  ]);
}
