import { dayMs } from '../../../shared/calendar/durations.ts';
import { addDays, startOfParisDay } from '../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import type { Balance } from '../../providers/banks/port.ts';

/** How long balances are kept. For messages, see `historyDays` of platform/upkeep.ts. */
export const keptDays = 400;

/** When a figure was true at the latest: of one that is dated by its day alone, the end of that day. */
export function lastMomentOf({ asOf, isOfDay }: Pick<Balance, 'asOf' | 'isOfDay'>): Date | null {
  const at = knownMoment(asOf);
  if (!at || !isOfDay) return at;
  const next = startOfParisDay(addDays(parisDayOf(at), 1));
  return new Date(next.getTime() - 1);
}

/** Banks send the year 0 for "never". */
export function knownMoment(at: Date | null): Date | null {
  return at && at.getTime() > 0 ? at : null;
}

/**
 * What each account adds to its history: a balance belongs to the day on which its bank gave it, which
 * may be past; one that is dated in the future belongs to today. One of a day is that of its end, and
 * takes the place of those that the bank gave in the course of it; of two of one day the last counts.
 */
export function balanceRows(accounts: { id: number; balance: Balance }[], now: Date): object[] {
  const days = new Map<number, string>();
  const rows = new Map<string, object>();
  for (const { id, balance } of accounts) {
    const asOf = Math.min(lastMomentOf(balance)?.getTime() ?? now.getTime(), now.getTime());
    if (balance.minor === null || now.getTime() - asOf >= keptDays * dayMs) continue;
    const day = days.get(asOf) ?? parisDayOf(new Date(asOf));
    days.set(asOf, day);
    const { minor: balance_minor, currency } = balance;
    const row = { account_id: id, day, balance_minor, currency, as_of: new Date(asOf) };
    rows.set(`${id} ${day}`, row);
  }
  return [...rows.values()];
}
