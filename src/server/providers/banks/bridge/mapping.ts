import { toMinor } from '../../../../shared/money/minor-units.ts';
import { isLeftOut, readInteger, readMoment, readNumber, readText } from '../json-fields.ts';
import type { Balance, BankAccount, BankConnection, BankName } from '../port.ts';
import { type NumberedRow, unreadableRow } from './pagination.ts';
import { stateOf } from './states.ts';

/**
 * Bridge leaves null fields out, and other servers of its API differ in detail: every field but the id
 * is read as if it might be missing. Unknown statuses are kept, because the interface has words for them.
 */
export function connectionOf(
  item: NumberedRow,
  nameOf: (bankId: number) => string | null,
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

/** `item` is the account's connection, null when it is not listed. */
export function accountOf(
  account: NumberedRow,
  item: NumberedRow | null,
  nameOf: (bankId: number) => string | null,
): BankAccount | null {
  const itemId = readInteger(account.item_id);
  if (itemId === null) return null;
  return {
    id: String(account.id),
    connectionId: String(itemId),
    name: readText(account.name) ?? 'Compte',
    type: typeOf(account),
    bank: bankOf(bankIdOf(account, item), nameOf),
    balance: readBalance(account, item),
    number: readText(account.iban),
  };
}

function typeOf(account: NumberedRow): string {
  return readText(account.type)?.toLowerCase() ?? 'unknown';
}

/** An account's bank is its own `provider_id`; where that is left out, its connection's. */
export function bankIdOf(account: NumberedRow, item: NumberedRow | null): number {
  return readInteger(account.provider_id) ?? readInteger(item?.provider_id) ?? 0;
}

/** Bridge lists an account its holder did not choose to share, without figures. */
export function isShared(account: NumberedRow): boolean {
  return readText(account.data_access)?.toLowerCase() !== 'disabled';
}

/** Its last refresh failed at the bank: Bridge goes on answering with what it had. */
export function isUnrenewed(account: NumberedRow): boolean {
  return readText(account.last_refresh_status)?.toLowerCase() === 'failed';
}

function bankOf(id: number, nameOf: (bankId: number) => string | null): BankName {
  const name = nameOf(id);
  return name === null
    ? { id: String(id), name, unnamed: `Banque nº ${id}` }
    : { id: String(id), name };
}

/**
 * In the main unit of the currency. `balance` is what the bank shows, of a kind that Bridge does not
 * tell; the two others stand in for it when it is left out. One of a current account, which are shown, that is
 * there and cannot be read fails the reading: nothing in its place would pass for the loss of a figure.
 */
function readBalance(account: NumberedRow, item: NumberedRow | null): Balance {
  const currency = readText(account.currency_code)?.toUpperCase() ?? 'EUR';
  const isFailed = isUnrenewed(account);
  const asOf = isFailed ? lastSuccess(account, item) : readMoment(account.updated_at);
  const told = { currency, asOf, isUnrenewed: isFailed };
  for (const [field, kind] of balanceFields) {
    if (isLeftOut(account[field])) continue;
    const minor = toMinor(readNumber(account[field]) ?? Number.NaN, currency);
    if (minor !== null) return { minor, kind, ...told };
    if (typeOf(account) === 'checking') return unreadableRow();
  }
  return { minor: null, kind: 'unknown', ...told };
}

/**
 * The date of a figure that Bridge could not renew: `updated_at` may be the moment of the failed try, so
 * it is believed only up to the connection's last success.
 */
function lastSuccess(account: NumberedRow, item: NumberedRow | null): Date | null {
  const [tried, succeeded] = [account.updated_at, item?.last_successful_refresh].map(readMoment);
  return tried && succeeded && tried < succeeded ? tried : (succeeded ?? null);
}

const balanceFields = [
  ['balance', 'unknown'],
  ['accounting_balance', 'booked'],
  ['instant_balance', 'available'],
] as const;
