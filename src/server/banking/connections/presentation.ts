import type { BankAccount, BankItem } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import type { BankConnection, SharedAccount } from '../../providers/banks/port.ts';

export function presentItem(item: BankConnection): BankItem {
  return {
    id: item.id,
    status: item.status,
    status_description: item.statusDescription,
    bank: item.bank,
    last_successful_refresh: item.lastSuccessfulRefresh?.toISOString() ?? null,
    authentication_expires_at: item.authenticationExpiresAt?.toISOString() ?? null,
  };
}

/**
 * Accounts joined with their connections for the status, narrowed to `types` when any are named.
 * An account whose connection went away between the two reads is left out with it.
 */
export function presentAccounts(
  accounts: SharedAccount[],
  items: BankConnection[],
  types: string[],
): BankAccount[] {
  const statuses = new Map(items.map((item) => [item.id, item.status]));
  return accounts.flatMap((account) => {
    const status = statuses.get(account.itemId);
    const wanted = types.length === 0 || types.includes(account.type);
    return status === undefined || !wanted ? [] : [presentAccount(account, status)];
  });
}

function presentAccount(account: SharedAccount, status: number): BankAccount {
  const { balanceMinor, currency } = account;
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    balance: balanceMinor === null ? null : fromMinor(balanceMinor, currency),
    status,
    currency_code: currency,
    updated_at: account.updatedAt?.toISOString() ?? null,
    item: { id: account.itemId },
    bank: account.bank,
  };
}
