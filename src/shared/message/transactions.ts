/**
 * How much of the transactions a notification tells: nothing, a count with two sums, or five lines more.
 */
export const transactionsChoices = ['off', 'sums', 'lines'] as const;
export type TransactionsChoice = (typeof transactionsChoices)[number];

/** One movement on an account. */
export interface MessageTransaction {
  /** The account, by our number. */
  accountId: number;
  /** YYYY-MM-DD, as the bank booked it. */
  day: string;
  /** In minor units: negative for money that left. */
  minor: number;
  /** ISO 4217. */
  currency: string;
  /** As the bank writes it. */
  label: string;
}

/** What was read before a message: the transactions that no earlier message has told. */
export interface MessageTransactions {
  transactions: MessageTransaction[];
  /** At least one bank answered. */
  isRead: boolean;
  /** The accounts that were read, by our numbers; undefined where an earlier version wrote it. */
  read?: number[];
  /** The names of banks that could not be read, and of those that tell no transactions. */
  failed: string[];
  unable: string[];
  /** How many accounts the message covers that it did not cover when it was read. */
  unread?: number;
  /** The first day (YYYY-MM-DD) that was read, where some before it were told by no message. */
  since?: string | undefined;
}
