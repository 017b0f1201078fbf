import type { BankAccount, BankItem } from '../../../shared/contract/banks.ts';
import type { AccountChoice } from '../../../shared/contract/messengers.ts';
import type { MessageAccount, MessageConnection } from '../../../shared/message/figures.ts';
import { toMinor } from '../../../shared/money/minor-units.ts';

/**
 * The accounts of the page as a message speaks of them, in the order in which their banks were linked.
 */
export function messageAccounts(
  accounts: readonly BankAccount[],
  { scope, chosen }: AccountChoice,
): MessageAccount[] {
  const covered = new Set(chosen);
  return accounts
    .map((account) => ({
      id: account.id,
      connectionId: account.item.id,
      name: account.name,
      bank: account.bank,
      currency: account.currency_code,
      balanceMinor:
        account.balance === null ? null : toMinor(account.balance, account.currency_code),
      updatedAt: account.updated_at === null ? null : new Date(account.updated_at),
      ibanFingerprint: account.iban_print ?? null,
      covered: scope === 'all' || covered.has(account.id),
    }))
    .sort((one, other) => one.connectionId - other.connectionId || one.id - other.id);
}

export function messageConnection(connection: BankItem): MessageConnection {
  const { id, state, form, authentication_expires_at: end } = connection;
  return { id, state, consentEndsAt: end === null ? null : new Date(end), hasPage: form === null };
}
