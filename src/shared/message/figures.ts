import type { ConnectionState } from '../banks/states.ts';
import type { LocalZone } from '../calendar/local-date.ts';
import type { AttentionKind } from './attention-kinds.ts';
import type { MessageTransactions, TransactionsChoice } from './transactions.ts';

/** An account that a message can name. */
export interface MessageAccount {
  id: number;
  connectionId: number;
  name: string;
  bank: { name: string };
  /** ISO 4217. */
  currency: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balanceMinor: number | null;
  /** When the bank gave the balance, null when it did not say. */
  updatedAt: Date | null;
  /** The same for one account through every source that tells its IBAN; null or left out without one. */
  ibanFingerprint?: string | null;
  /** Whether the notification covers it; any other account can still be named by `{{solde:…}}`. */
  covered: boolean;
}

/** A bank connection: what its state means for the figures. */
export interface MessageConnection {
  id: number;
  state: ConnectionState;
  /** When the consent ends; null where none does. */
  consentEndsAt: Date | null;
  /** Its source has a page about it, to which `/renouveler/<id>` of the web app leads. */
  hasPage: boolean;
}

/**
 * The balances in the last delivered daily message, which the next one is compared with; before the
 * first one those of yesterday.
 */
export interface PreviousFigures {
  /** Its day, YYYY-MM-DD in the zone that the notification has now; before the first message in Paris. */
  day: string;
  /** When it was due, in milliseconds since 1970; undefined before the first message. */
  toldAt?: number;
  /** No message was delivered yet: these are the stored balances of that day in Paris, for yesterday. */
  isBeforeFirst?: boolean;
  /** By account id. */
  balances: Record<string, PreviousFigure>;
  /** The names of those that their banks no longer list, by account id; none of one that was erased. */
  unlisted?: Record<string, string>;
}

/**
 * A balance in minor units, null where none was known, and its currency; of a duplicate the id of the account
 * that counted; when the bank gave it, in milliseconds since 1970. Earlier versions left the last two out.
 */
export type PreviousFigure =
  | [minor: number | null, currency: string]
  | [minor: number | null, currency: string, duplicateOf: number]
  | [minor: number | null, currency: string, duplicateOf: number | null, updatedAt: number | null];

export interface MessageData {
  accounts: MessageAccount[];
  connections: MessageConnection[];
  previous: PreviousFigures | null;
  /** What its owner wants pointed out. */
  attention: readonly AttentionKind[];
  /** How much of the transactions its owner lets the chat see. */
  transactionsChoice: TransactionsChoice;
  /** Null where they were not read. */
  transactions: MessageTransactions | null;
  localZone: LocalZone;
  now: Date;
  /** Of the web app, without a slash at its end. */
  publicUrl: string;
}
