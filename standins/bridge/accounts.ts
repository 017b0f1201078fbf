import { centsAt } from './balances.ts';
import { refreshedAt, statusAt, withoutNulls } from './items.ts';
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
