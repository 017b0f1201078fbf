import { addDays } from '../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import type { BankAccount, DailyBalance } from '../../../shared/contract/banks.ts';
import { toMinor } from '../../../shared/money/minor-units.ts';
import { addedIn, duplicateAccounts, type Histories, sumOf } from '../totals.ts';

export interface TotalChange {
  amount: number;
  /** How many of the accounts in this currency have a balance of that day to compare with… */
  compared: number;
  /** …and how many there are, each once, those without a balance as well: as a message counts them. */
  accounts: number;
}

/**
 * What the total in this currency gained since the end of a day (YYYY-MM-DD, in Paris): of the accounts
 * whose balance of that day is known, and that have a newer one. Null when there are none.
 */
export function changeSince(
  day: string,
  currency: string,
  accounts: readonly BankAccount[],
  histories: Histories,
): TotalChange | null {
  const added = addedIn(accounts).filter(({ currency_code }) => currency_code === currency);
  const changes = added.flatMap(({ ids, minor, updated_at }) => {
    const then = balanceOn(day, ids, histories);
    const before = minorOf(then, currency);
    const isRenewed = !then || !updated_at || Date.parse(updated_at) > Date.parse(then.as_of);
    return before !== null && isRenewed ? [minor - before] : [];
  });
  if (changes.length === 0) return null;
  const duplicates = duplicateAccounts(accounts);
  const counted = accounts.filter(
    (account) => account.currency_code === currency && !duplicates.has(account.id),
  );
  return {
    amount: sumOf(currency, changes),
    compared: changes.length,
    accounts: counted.length,
  };
}

/**
 * The total in this currency at the end of each of these days; null for a day on which one of its
 * accounts has no known balance: what is left out would look like money that was spent.
 */
export function totalsByDay(
  days: readonly string[],
  currency: string,
  accounts: readonly BankAccount[],
  histories: Histories,
): (number | null)[] {
  const added = addedIn(accounts).filter(({ currency_code }) => currency_code === currency);
  return days.map((day) => {
    const minors = added.map(({ ids }) => minorOf(balanceOn(day, ids, histories), currency));
    return minors.includes(null) ? null : sumOf(currency, minors as number[]);
  });
}

/** The last days up to a date, in Paris, as YYYY-MM-DD: the last of them is that of the date. */
export function lastDays(count: number, now: Date): string[] {
  const today = parisDayOf(now);
  return Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));
}

/** Why there is no change of the total in this currency since the end of yesterday. */
export function reasonWithoutChange(
  currency: string,
  accounts: readonly BankAccount[],
  histories: Histories,
  now: Date,
): string {
  const [yesterday = '', today = ''] = lastDays(2, now);
  const added = addedIn(accounts).filter(({ currency_code }) => currency_code === currency);
  const daysOfEach = added.map(({ ids, updated_at }) => [
    ...ids.flatMap((id) => histories.get(id) ?? []).map(({ day }) => day),
    // The histories reach back some days alone.
    ...(updated_at === null ? [] : [parisDayOf(new Date(updated_at))]),
  ]);
  const hasNew = daysOfEach.some((days) => days.length > 0 && days.every((day) => day >= today));
  if (hasNew) return 'Évolution dès demain';
  return daysOfEach.flat().includes(yesterday)
    ? 'Aucun solde plus récent'
    : "Soldes d'hier inconnus";
}

/** The balance of that day, through whichever source it came then. */
function balanceOn(
  day: string,
  ids: readonly number[],
  histories: Histories,
): DailyBalance | undefined {
  return ids.flatMap((id) => histories.get(id) ?? []).find((one) => one.day === day);
}

function minorOf(found: DailyBalance | undefined, currency: string): number | null {
  return found?.currency_code === currency ? toMinor(found.balance, currency) : null;
}
