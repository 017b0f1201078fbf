import type { LocalZone } from '../calendar/local-date.ts';

/** An account as a message can speak of it. */
export interface MessageAccount {
  id: number;
  itemId: number;
  name: string;
  bank: { name: string };
  /** ISO 4217. */
  currency: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balanceMinor: number | null;
  /** When the bank gave the balance, null when it did not say. */
  updatedAt: Date | null;
  /** Whether the notification is about it; any other can still be named alone. */
  covered: boolean;
}

/** A bank connection: what its state means for the figures. */
export interface MessageItem {
  id: number;
  /** A code of shared/banks/item-states.ts. */
  status: number;
  statusDescription: string | null;
}

/** What the last delivered daily message said, for the change since then. */
export interface PreviousFigures {
  /** Its day, YYYY-MM-DD where the notification's hour is kept. */
  day: string;
  /** By account id: the balance in minor units, and its currency. */
  balances: Record<string, [minor: number, currency: string]>;
}

export interface MessageData {
  accounts: MessageAccount[];
  items: MessageItem[];
  previous: PreviousFigures | null;
  localZone: LocalZone;
  now: Date;
}
