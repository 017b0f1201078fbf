import type { BankAccount, BankItem } from '../../../shared/contract/banks.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { endingNotice, noticeOf } from '../../providers/banks/notices.ts';
import type { BankingDeps } from '../deps.ts';
import type { StoredAccount, StoredConnection } from './queries.ts';

export function presentItem(
  { banks }: Pick<BankingDeps, 'banks'>,
  row: StoredConnection,
  now: Date,
): BankItem {
  return {
    id: row.id,
    ...presentCondition(row, now),
    form: banks.get(row.source)?.connect.kind === 'redirect' ? null : row.source,
    status_description: row.status_description,
    bank: { id: row.bank_id, name: row.bank_name },
    last_successful_refresh: row.last_successful_refresh?.toISOString() ?? null,
    authentication_expires_at: row.authentication_expires_at?.toISOString() ?? null,
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
  now: Date,
): BankAccount[] {
  const conditions = new Map(connections.map((one) => [one.id, presentCondition(one, now)]));
  return accounts.flatMap((account) => {
    const condition = conditions.get(account.connection_id);
    const isAsked = types.length === 0 || types.includes(account.type);
    return condition && isAsked ? [{ ...presentAccount(account), ...condition }] : [];
  });
}

type Condition = Pick<BankItem, 'status' | 'state' | 'notice'>;

function presentCondition(row: StoredConnection, now: Date) {
  const { status, state, status_description: description, authentication_expires_at: end } = row;
  const notice =
    noticeOf({ state, description }) ?? (state === 'ok' ? endingNotice(end, now) : null);
  return { status, state, notice } satisfies Condition;
}

/** An account without the state of its connection. */
export function presentAccount(row: StoredAccount): Omit<BankAccount, keyof Condition> {
  return {
    id: row.id,
    item: { id: row.connection_id },
    bank: { id: row.bank_id, name: row.bank_name },
    name: row.name,
    type: row.type,
    balance: row.balance_minor === null ? null : fromMinor(row.balance_minor, row.currency),
    currency_code: row.currency,
    updated_at: row.updated_at?.toISOString() ?? null,
    ...(row.iban_print !== null && { iban_print: row.iban_print }),
  };
}
