import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SealedColumn } from '../../platform/vault/sealed-columns.ts';

/** What was read for the next message of a notification. */
export const pendingBankTransactions: SealedColumn = {
  table: 'message_operations',
  column: 'sealed',
  key: ['user_id', 'messenger_id'],
  additionalData: (userId, messengerId) => `message_operations/${userId}/${messengerId}`,
};

/** The additional data of what was read for a test. */
export function draftedBankTransactions(userId: string, messengerId: string): string {
  return `deliveries/${userId}/${messengerId}/draft`;
}

/** The stored form says `operations`: what waits while an installation is upgraded is read after it. */
export function sealBankTransactions(
  { vault }: Pick<Platform, 'vault'>,
  { transactions: operations, ...others }: MessageTransactions,
  additionalData: string,
): string {
  return vault.seal(JSON.stringify({ operations, ...others }), additionalData);
}

/** Null when no configured secret opens it. */
export function openSealed(
  { vault }: Pick<Platform, 'vault'>,
  sealed: string,
  additionalData: string,
): MessageTransactions | null {
  const opened = vault.tryOpen(sealed, additionalData);
  if (opened === null) return null;
  const { operations: transactions, ...others } = JSON.parse(opened);
  return { transactions, ...others };
}
