import type { ColumnType, Generated } from 'kysely';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface BankTables {
  bank_users: BankUserTable;
  bank_visits: BankVisitTable;
  bank_items: BankItemTable;
  bank_accounts: BankAccountTable;
  bank_balances: BankBalanceTable;
  bank_refreshes: BankRefreshTable;
  bank_calls: BankCallTable;
}

interface BankUserTable {
  user_id: string;
  /** The provider's own name for our user. */
  provider_user_id: string;
  created_at: Moment;
}

/** A trip to the provider's page: its context nonce tells us what the user came back from. */
interface BankVisitTable {
  nonce: string;
  user_id: string;
  purpose: 'add' | 'edit' | 'pro';
  item_id: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: Moment;
  expires_at: Moment;
}

/** A bank connection as the provider last described it. */
interface BankItemTable {
  user_id: string;
  id: number;
  bank_id: number;
  bank_name: string;
  status: number;
  status_description: string | null;
  last_successful_refresh: MomentOrNull;
  authentication_expires_at: MomentOrNull;
  seen_at: Moment;
}

interface BankAccountTable {
  user_id: string;
  id: number;
  item_id: number;
  bank_id: number;
  bank_name: string;
  name: string;
  type: string;
  currency: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balance_minor: number | null;
  /** As of when the bank gave the balance. */
  updated_at: MomentOrNull;
  first_seen_at: Moment;
  /** Since when the provider no longer lists it: hidden, and erased some weeks later. */
  gone_at: MomentOrNull;
}

/** The last balance the bank gave for a day of Paris. */
interface BankBalanceTable {
  user_id: string;
  account_id: number;
  /** YYYY-MM-DD. */
  day: string;
  balance_minor: number;
  currency: string;
  as_of: Moment;
}

interface BankRefreshTable {
  user_id: string;
  /** When the reading of what is stored began, by the application's clock. */
  refreshed_at: MomentOrNull;
  attempted_at: MomentOrNull;
  /** How the last attempt failed: a kind of BankProviderError. */
  failure: TextOrNull;
  /** Somebody is reading until then, by the database's clock. */
  leased_until: MomentOrNull;
  /** A job for it waits in the queue since then. */
  wanted_at: MomentOrNull;
  /** Grows with every erasure here: what was read before one is not stored after it. */
  erasures: Generated<number>;
}

/** How far the calls of all workers have used up a limit of the provider; see banks/allowance.ts. */
interface BankCallTable {
  name: string;
  /** From then on the row says nothing any more. */
  free_at: Moment;
  moments: Generated<Date[]>;
}
