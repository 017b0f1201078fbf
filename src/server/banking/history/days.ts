import { localDateIn } from '../../../shared/calendar/local-date.ts';
import type { SharedAccount } from '../../providers/banks/port.ts';

/** How long balances are kept. */
export const keptDays = 400;

const dayMs = 86_400_000;

/** The calendar day (YYYY-MM-DD) of a moment in Paris: that of the banks and of their customers. */
export function bankDayOf(at: Date): string {
  return localDateIn('Europe/Paris', at);
}

/**
 * What each account adds to its history: a balance stands on the day its bank gave it, which may be
 * past, and never on a day to come.
 */
export function balanceRows(accounts: SharedAccount[], now: Date): object[] {
  const days = new Map<number, string>();
  return accounts.flatMap(({ id, balanceMinor, currency, updatedAt }) => {
    const asOf = Math.min(updatedAt?.getTime() ?? now.getTime(), now.getTime());
    if (balanceMinor === null || now.getTime() - asOf >= keptDays * dayMs) return [];
    const day = days.get(asOf) ?? bankDayOf(new Date(asOf));
    days.set(asOf, day);
    return [{ account_id: id, day, balance_minor: balanceMinor, currency, as_of: new Date(asOf) }];
  });
}
