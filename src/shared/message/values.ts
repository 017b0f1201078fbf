import { isStale, STALE_AFTER_MS } from '../banks/states.ts';
import { amountText, changeText, inWords, sumsOf } from './amounts.ts';
import { dayAndHour, daysAgo, longDate, sinceDay } from './days.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { accountsNamed, bankNameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { countedAccounts } from './repeated.ts';
import type { PlainVariable } from './variables.ts';

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
  }
}

/** The balance of the named account, which may have disappeared since the text was saved. */
export function accountValue(name: string, data: MessageData): string {
  const [account, second] = accountsNamed(name, data.accounts);
  if (!account) return `compte «\u202f${neutralize(name)}\u202f» introuvable`;
  if (second) return `plusieurs comptes «\u202f${neutralize(name)}\u202f»`;
  const { amount, note } = describeBalance(account, data);
  return note ? `${amount} (${note})` : amount;
}

/** A balance in words: the amount, and a note where it may not be today's. */
export function describeBalance(
  account: MessageAccount,
  data: Pick<MessageData, 'items' | 'now'>,
): { amount: string; note: string | null } {
  const waiting = waitingNote(account, data.items);
  if (account.balanceMinor === null) return { amount: 'solde non communiqué', note: waiting };
  const notes = [waiting, staleNote(account, data.now)].filter((note) => note !== null);
  return {
    amount: amountText(account.balanceMinor, account.currency),
    note: notes.join(', ') || null,
  };
}

/** True when the bank gave the balance more than two days ago (specification §9), or gave no date. */
function isOld({ updatedAt }: Pick<MessageAccount, 'updatedAt'>, now: Date): boolean {
  return updatedAt === null || now.getTime() - updatedAt.getTime() > STALE_AFTER_MS;
}

function staleNote(account: MessageAccount, now: Date): string | null {
  if (!isOld(account, now)) return null;
  const age = account.updatedAt ? daysAgo(account.updatedAt, now) : 'date inconnue';
  return `dernier solde connu, ${age}`;
}

function waitingNote({ itemId }: MessageAccount, items: MessageData['items']): string | null {
  const item = items.find(({ id }) => id === itemId);
  if (!item) return null;
  switch (item.state) {
    case 'credentials':
    case 'renew':
    case 'action-at-bank':
    case 'unknown':
      return 'en attente de reconnexion';
    case 'confirm-accounts':
      return 'en attente de validation professionnelle';
    default:
      return null;
  }
}

/** When each bank gave the balances of these accounts, by the oldest of them; null without any. */
export function givenText(
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

/**
 * Which banks of these accounts have been silent for more than two days, as their cards say it on the
 * screen; null when there are none.
 */
export function silenceText(accounts: MessageAccount[], data: MessageData): string | null {
  const silent = data.items.flatMap(({ id, state }) => {
    const ofItem = accounts.filter(({ itemId }) => itemId === id);
    const updates = ofItem.map(({ updatedAt }) => updatedAt);
    return isStale(state, updates, data.now) ? ofItem.map(bankNameOf) : [];
  });
  const banks = [...new Set(silent)].map(neutralize);
  if (banks.length === 0) return null;
  const their = banks.length === 1 ? 'ses' : 'leurs';
  return `Les données de ${bankList(banks)} ne sont peut-être plus à jour. Vérifiez ${their} paramètres dans Tirelire.`;
}

function totalText({ accounts, now }: MessageData): string {
  const covered = countedAccounts(accounts).map(({ account }) => account);
  const known = covered.filter(({ balanceMinor }) => balanceMinor !== null);
  const sums = sumsOf(known.map(({ balanceMinor, currency }) => [balanceMinor ?? 0, currency]));
  const missing = covered.length - known.length;
  if (known.length === 0) return missing > 0 ? 'soldes non communiqués' : 'aucun compte';
  const notes = [
    missing > 0 &&
      `sans ${missing} ${missing > 1 ? 'soldes non communiqués' : 'solde non communiqué'}`,
    oldNote(known, now),
  ].filter((note) => typeof note === 'string');
  const amounts = inWords(sums.map(([minor, currency]) => amountText(minor, currency)));
  return notes.length > 0 ? `${amounts} (${notes.join(', ')})` : amounts;
}

function oldNote(accounts: MessageAccount[], now: Date): string | null {
  const old = accounts.filter((account) => isOld(account, now));
  if (old.length === 0) return null;
  const count =
    old.length === 1 ? 'dont un dernier solde connu' : `dont ${old.length} derniers soldes connus`;
  const oldest = oldestOf(old);
  return oldest ? `${count}, ${daysAgo(oldest, now)}` : `${count}, date inconnue`;
}

/**
 * The change of the accounts that have a balance both now and in the last delivered message: an
 * account that was added, or whose balance is missing now, does not count as a rise or fall.
 */
function variationText({ accounts, previous, now, localZone }: MessageData): string {
  if (!previous) return 'première comparaison au prochain envoi';
  const changes = countedAccounts(accounts).flatMap(({ account, same }) => {
    const { balanceMinor, currency } = account;
    // The last message may have counted the same account through another source.
    const then = [account, ...same].find(({ id }) => previous.balances[String(id)]);
    const [before, itsCurrency] = (then && previous.balances[String(then.id)]) ?? [];
    if (balanceMinor === null || before === undefined || itsCurrency !== currency) return [];
    return [[balanceMinor - before, currency] satisfies [number, string]];
  });
  const since = sinceDay(previous.day, now, localZone);
  if (changes.length === 0) return `aucun solde comparable ${since}`;
  return `${inWords(sumsOf(changes).map(([minor, currency]) => changeText(minor, currency)))} ${since}`;
}

function banksText({ accounts }: MessageData): string {
  const covered = accounts.filter((account) => account.covered);
  const names = [...new Set(covered.map(bankNameOf))].map(neutralize);
  return bankList(names) || 'aucune banque';
}

/** Null if one account has no date, because it may be the oldest. */
function oldestOf(accounts: MessageAccount[]): Date | null {
  let oldest: Date | null = null;
  for (const { updatedAt } of accounts) {
    if (!updatedAt) return null;
    if (!oldest || updatedAt < oldest) oldest = updatedAt;
  }
  return oldest;
}

/** Ten of them in words, and the number of the others. */
function bankList(banks: string[]): string {
  const rest = banks.length - 10;
  if (rest <= 0) return inWords(banks);
  return inWords([...banks.slice(0, 10), rest === 1 ? '1 autre banque' : `${rest} autres banques`]);
}
