import { dayMs } from '../service/durations.ts';
import { refreshedAt, statusAt } from './items.ts';
import { withoutNulls } from './responses.ts';
import { type Account, accountsOf, type Item, type State } from './state.ts';

type Row = Record<string, unknown> & { id: number };

/** None before the first refresh has ended. */
export function presentAccounts(state: State, items: Item[], now: Date): Row[] {
  return items
    .filter((item) => statusAt(item, now) === item.status)
    .flatMap((item) => accountsOf(state, item.id).map((one) => presentAccount(one, item, now)));
}

export function presentAccount(account: Account, item: Item, now: Date): Row {
  const refreshed = refreshedAt(item, now) ?? now;
  const balance = centsAt(account, new Date(item.createdAt), refreshed) / 100;
  // Data of business accounts is masked until its holder has certified them.
  const isMasked = item.status === 1100;
  const row = {
    id: account.id,
    name: isMasked ? 'Compte ••••' : account.name,
    balance: isMasked ? null : balance,
    accounting_balance: account.hasAccountingBalance && !isMasked ? balance : null,
    currency_code: 'EUR',
    type: account.type,
    updated_at: refreshed.toISOString(),
    last_refresh_status: item.frozen ? 'failed' : 'successful',
    item_id: item.id,
    provider_id: item.providerId,
    data_access: account.shared ? 'enabled' : 'disabled',
    pro: account.pro || isMasked,
    iban: isMasked ? null : account.iban,
    ...account.override,
  };
  const hidden = { balance: null, accounting_balance: null, iban: null };
  return withoutNulls(row.data_access === 'disabled' ? { ...row, ...hidden } : row);
}

/**
 * The account's cents on the day of `at`: a walk whose steps depend on the account and the day
 * alone, so that every start of the stand-in tells the same story and each day differs.
 */
function centsAt(account: Account, createdAt: Date, at: Date): number {
  const first = dayOf(createdAt);
  const last = Math.min(dayOf(at), first + 4_000);
  let cents = account.baseCents;
  for (let day = first + 1; day <= last; day += 1) cents += stepOf(account, day);
  return cents;
}

/** Never 0, and around 0 over the months: an account neither freezes nor runs away. */
export function stepOf(account: Account, day: number): number {
  const portion = (hash(account.id, day) / 0xffffffff) * 2 - 1;
  const step = Math.round(portion * account.swingCents);
  return step === 0 ? 1 : step;
}

export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs);
}

/** Two numbers to 32 well-mixed bits (the finaliser of MurmurHash3). */
export function hash(a: number, b: number): number {
  let bits = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
