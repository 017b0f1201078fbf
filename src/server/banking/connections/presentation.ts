import type { BankAccount, BankItem } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { noticeOf } from '../../providers/banks/notices.ts';
import type { StoredAccount, StoredConnection } from './queries.ts';

export function presentItem(connection: StoredConnection): BankItem {
  const { id, bank, description } = connection;
  return {
    id,
    ...presentCondition(connection),
    status_description: description,
    bank,
    last_successful_refresh: connection.lastSuccessfulRefresh?.toISOString() ?? null,
    authentication_expires_at: connection.authenticationExpiresAt?.toISOString() ?? null,
  };
}

/**
 * Accounts joined with their connections for the state, narrowed to `types` when any are named. An
 * account whose connection went away between the two reads is left out with it.
 */
export function presentAccounts(
  accounts: StoredAccount[],
  connections: StoredConnection[],
  types: string[],
): BankAccount[] {
  const conditions = new Map(connections.map((one) => [one.id, presentCondition(one)]));
  return accounts.flatMap((account) => {
    const condition = conditions.get(account.itemId);
    const isAsked = types.length === 0 || types.includes(account.type);
    return condition && isAsked ? [presentAccount(account, condition)] : [];
  });
}

type Condition = Pick<BankItem, 'status' | 'state' | 'notice'>;

function presentCondition(connection: StoredConnection): Condition {
  const { status, state } = connection;
  return { status, state, notice: noticeOf(connection) };
}

function presentAccount(account: StoredAccount, condition: Condition): BankAccount {
  const { balanceMinor, currency } = account;
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    balance: balanceMinor === null ? null : fromMinor(balanceMinor, currency),
    ...condition,
    currency_code: currency,
    updated_at: account.updatedAt?.toISOString() ?? null,
    item: { id: account.itemId },
    bank: account.bank,
  };
}
