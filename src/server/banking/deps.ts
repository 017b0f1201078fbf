import type { RawBuilder, Transaction } from 'kysely';
import type { IdentityDeps } from '../identity/deps.ts';
import type { Schema } from '../platform/database/schema.ts';
import type { ClientDetails } from '../providers/banks/connect.ts';
import type { BankSource } from '../providers/banks/port.ts';

export interface BankingDeps extends IdentityDeps {
  /** By source, in the order in which they are offered. */
  bankSources: ReadonlyMap<string, BankSource>;
  bankRefreshes: BankRefreshes;
  figureListener: FigureListener;
  figureNeeds: FigureNeeds;
}

/** Called when figures come and go: a module above decides what else becomes of them. */
export interface FigureListener {
  /** Called in the transaction that stores what a source gave at a reading. */
  record(transaction: Transaction<Schema>, reading: FiguresOfReading): Promise<void>;
  /** Called once that transaction is committed. */
  committed(): void;
  /**
   * Called in that transaction, with our numbers of the accounts that have got other ids at their source, at
   * least one: their bank transactions may have other ids too.
   */
  renewed(transaction: Transaction<Schema>, userId: string, accountIds: number[]): Promise<void>;
  /** Called in a transaction that has brought accounts, or given them other names: at least one. */
  renamed(
    transaction: Transaction<Schema>,
    userId: string,
    accounts: RenamedAccount[],
  ): Promise<void>;
  /**
   * Called in a transaction that is about to erase accounts: before it locks the user, by the order of
   * locks, where it does.
   */
  beforeErasure(transaction: Transaction<Schema>, userId: string): Promise<void>;
  /** Called in that transaction, before accounts are erased for which others stand: at least one. */
  replaced(
    transaction: Transaction<Schema>,
    userId: string,
    accounts: ReplacedAccount[],
  ): Promise<void>;
  /** Called in that transaction, with our numbers of the erased accounts, at least one. */
  erased(transaction: Transaction<Schema>, userId: string, accountIds: number[]): Promise<void>;
}

/** `before`: what it was called, and its bank; null for an account that was not shown before. */
export interface RenamedAccount {
  id: number;
  before: { name: string; bank: string } | null;
}

/** An account that is about to be erased, while another one with the same IBAN is listed. */
export interface ReplacedAccount {
  id: number;
  name: string;
  bank: string;
  /** Our number of the other one: of several the one that is read by itself, else that with the newest figure. */
  by: number;
  /** The same among those whose source is read by itself, also where their bank waits for its owner now. */
  watchedBy: number | null;
}

/** Which users' figures the modules above will need soon: their source links are read before. */
export interface FigureNeeds {
  /**
   * Selects `user_id` and `due_at` of every message whose text has variables, whichever they are, or that
   * has a chart, and that leaves until `until`, also of those that are late.
   */
  ofMessages(now: Date, until: Date): RawBuilder<unknown>;
  /**
   * Selects `user_id`, `account_id` and `minutes` of the accounts that alerts watch at this time of
   * day. `account_id` is null for all accounts of the user, `minutes` counts from the beginning of the
   * user's active hours. Null when no alert watches anything now.
   */
  ofAlerts(now: Date): Promise<RawBuilder<unknown> | null>;
}

/** The new figures of one reading of one source: a stored one that could not be renewed is not among them. */
interface FiguresOfReading {
  userId: string;
  /** When the reading began. */
  readAt: Date;
  /** In minor units, with our number of the account. `asOf`: when the bank gave it, if it
   * said so; the last moment of its day where it named the day alone. */
  figures: { accountId: number; minor: number; currency: string; asOf: Date | null }[];
}

export interface BankRefreshes {
  /**
   * Reads and stores what a user has at one source, or at every source that pages read; does nothing
   * at a source with which the user has no link. A reading that was already under way does not count,
   * because it may have missed what the user has just changed at the bank: the call then waits for the
   * next reading, which all calls made meanwhile share, in this worker and in others. Throws the
   * source's error and leaves the store unchanged, except that refused credentials are not an error
   * but a state of the connections. `clientDetails` are those of the person who pressed a button for it.
   */
  refresh(userId: string, source?: string, clientDetails?: ClientDetails): Promise<void>;
}
