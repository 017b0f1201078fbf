import { toMinor } from '../../../../shared/money/minor-units.ts';
import type { Balance, BankAccount, BankConnection, BankName } from '../port.ts';
import { type NumberedRow, readInteger, readMoment, readNumber, readText } from './answers.ts';
import { stateOf } from './states.ts';

/**
 * Bridge leaves null fields out, and other servers of its API differ in detail: every field but the id
 * is read as if it might be missing. Unknown statuses are kept, because the interface has words for them.
 */
export function connectionOf(
  item: NumberedRow,
  nameOf: (bankId: number) => string,
): BankConnection {
  const status = readInteger(item.status) ?? 0;
  return {
    id: String(item.id),
    state: stateOf(status),
    code: status,
    description: readText(item.status_code_description),
    bank: bankOf(readInteger(item.provider_id) ?? 0, nameOf),
    lastSuccessfulRefresh: readMoment(item.last_successful_refresh),
    authenticationExpiresAt: readMoment(item.authentication_expires_at),
  };
}

/** Null for an account without a connection: nothing could be shown or done with it. */
export function accountOf(
  account: NumberedRow,
  bankId: number,
  nameOf: (bankId: number) => string,
): BankAccount | null {
  const itemId = readInteger(account.item_id);
  if (itemId === null) return null;
  return {
    id: String(account.id),
    connectionId: String(itemId),
    name: readText(account.name) ?? 'Compte',
    type: readText(account.type)?.toLowerCase() ?? 'unknown',
    bank: bankOf(bankId, nameOf),
    balance: readBalance(account),
  };
}

/** Bridge lists an account its holder did not choose to share, without figures. */
export function isShared(account: NumberedRow): boolean {
  return readText(account.data_access)?.toLowerCase() !== 'disabled';
}

function bankOf(id: number, nameOf: (bankId: number) => string): BankName {
  return { id: String(id), name: nameOf(id) };
}

/**
 * In the main unit of the currency. `balance` is what the bank shows, of a kind that Bridge does not
 * tell; the two others stand in for it when it is left out.
 */
function readBalance(account: NumberedRow): Balance {
  const currency = readText(account.currency_code)?.toUpperCase() ?? 'EUR';
  const asOf = readMoment(account.updated_at);
  for (const [field, kind] of balanceFields) {
    const amount = readNumber(account[field]);
    if (amount !== null) return { minor: toMinor(amount, currency), currency, kind, asOf };
  }
  return { minor: null, currency, kind: 'unknown', asOf };
}

const balanceFields = [
  ['balance', 'unknown'],
  ['accounting_balance', 'booked'],
  ['instant_balance', 'available'],
] as const;
