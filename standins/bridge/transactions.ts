import { dayMs } from '../service/durations.ts';
import { dayOf, hash, stepOf } from './accounts.ts';
import { refreshedAt, statusAt } from './items.ts';
import { type Account, accountsOf, type Item, type State } from './state.ts';

type Row = Record<string, unknown> & { id: number };

/** What a bank gives right after it is linked. */
const historyDays = 7;

/**
 * What moved the balances of these items since a day (YYYY-MM-DD), newest first: the transactions of a day
 * make up its step, so that they explain the balance.
 */
export function presentTransactions(state: State, items: Item[], since: string, now: Date): Row[] {
  return items
    .filter((item) => statusAt(item, now) === item.status && item.status !== 1100)
    .flatMap((item) =>
      accountsOf(state, item.id)
        .filter(({ shared }) => shared)
        .flatMap((account) => ofAccount(account, item, since, refreshedAt(item, now) ?? now)),
    )
    .sort((one, other) => String(other.updated_at).localeCompare(String(one.updated_at)));
}

function ofAccount(account: Account, item: Item, since: string, refreshed: Date): Row[] {
  if (account.transactions) {
    return account.transactions.filter(({ date }) => String(date) >= since) as Row[];
  }
  const first = dayOf(new Date(item.createdAt)) - historyDays;
  const last = dayOf(refreshed);
  const rows: Row[] = [];
  for (let day = Math.max(first, dayOf(new Date(since))); day <= last; day += 1) {
    rows.push(...centsOf(account, day).map((cents, index) => rowOf(account, day, index, cents)));
  }
  return rows;
}

/** One movement, or on two days of three an expense and an income that together are the day's step. */
function centsOf(account: Account, day: number): number[] {
  const step = stepOf(account, day);
  const bits = hash(account.id + 1, day);
  if (bits % 3 === 0) return [step];
  const extra = 500 + (bits % 24_000);
  return step < 0 ? [step - extra, extra] : [step + extra, -extra];
}

function rowOf(account: Account, day: number, index: number, cents: number): Row {
  const date = new Date(day * dayMs).toISOString().slice(0, 10);
  const labels = cents > 0 ? incomes : expenses;
  const label = labels[hash(account.id + index, day) % labels.length] ?? '';
  return {
    id: account.id * 1_000_000 + (day % 100_000) * 10 + index,
    clean_description: label,
    provider_description: label.toUpperCase(),
    amount: cents / 100,
    date,
    booking_date: date,
    updated_at: `${date}T05:00:00.000Z`,
    currency_code: 'EUR',
    deleted: false,
    future: false,
    category_id: 0,
    operation_type: cents > 0 ? 'transfer' : 'card',
    account_id: account.id,
  };
}

const incomes = [
  'Virement Dupont SARL',
  'Remboursement CPAM',
  'Virement Atelier Martin',
  'Loyer reçu',
];
const expenses = [
  ...['EDF', 'Boulangerie Martin', 'Loyer bureau', 'Abonnement mobile', 'Fournitures de bureau'],
  ...['Urssaf', 'Assurance', 'Carburant'],
];
