import { toMinor } from '../../../../shared/money/minor-units.ts';
import type { BankConnection, SharedAccount } from '../port.ts';
import { readInteger, readMoment, readNumber, readText } from './answers.ts';
import type { RawAccount, RawItem } from './raw.ts';

/** Unknown statuses are kept: the interface has words for them. */
export function connectionOf(item: RawItem, nameOf: (bankId: number) => string): BankConnection {
  const bankId = readInteger(item.provider_id) ?? 0;
  return {
    id: item.id,
    status: readInteger(item.status) ?? 0,
    statusDescription: readText(item.status_code_description),
    bank: { id: bankId, name: nameOf(bankId) },
    lastSuccessfulRefresh: readMoment(item.last_successful_refresh),
    authenticationExpiresAt: readMoment(item.authentication_expires_at),
  };
}

/** Null for an account without a connection: nothing could be shown or done with it. */
export function accountOf(
  account: RawAccount,
  bankId: number,
  nameOf: (bankId: number) => string,
): SharedAccount | null {
  const itemId = readInteger(account.item_id);
  if (itemId === null) return null;
  const currency = readText(account.currency_code)?.toUpperCase() ?? 'EUR';
  return {
    id: account.id,
    itemId,
    name: readText(account.name) ?? 'Compte',
    type: readText(account.type)?.toLowerCase() ?? 'unknown',
    balanceMinor: balanceOf(account, currency),
    currency,
    updatedAt: readMoment(account.updated_at),
    bank: { id: bankId, name: nameOf(bankId) },
  };
}

/** Bridge lists an account its holder did not choose to share, without figures. */
export function isShared(account: RawAccount): boolean {
  return readText(account.data_access)?.toLowerCase() !== 'disabled';
}

/** `balance` is what the bank shows; the two others stand in for it when it is left out. */
function balanceOf(account: RawAccount, currency: string): number | null {
  const amount =
    readNumber(account.balance) ??
    readNumber(account.accounting_balance) ??
    readNumber(account.instant_balance);
  return amount === null ? null : toMinor(amount, currency);
}
