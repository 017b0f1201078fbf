import type { ColumnType, Generated } from 'kysely';
import type { ConnectionState } from '../../../../shared/banks/states.ts';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

export interface BankTables {
  /** What connects a user with one source of balances. */
  bank_links: {
    user_id: string;
    /** A kind of providers/banks/registry.ts, as in every table here. */
    source: string;
    /** The source's own id of our user; null for a source that keeps none. */
    provider_user_id: TextOrNull;
    /** The person's own credentials; null where those of the installation open the source. */
    sealed_secret: TextOrNull;
    created_at: Moment;
  };
  /** A trip to the source's page: its nonce says what the user came back from. */
  bank_connect_sessions: {
    nonce: string;
    user_id: string;
    source: string;
    purpose: 'add' | 'edit' | 'pro';
    connection_id: ColumnType<number | null, number | null | undefined, number | null>;
    created_at: Moment;
    expires_at: Moment;
  };
  /** A bank connection as its source last described it. */
  bank_connections: {
    user_id: string;
    /** Ours; from `bank_connection_ids`. */
    id: number;
    source: string;
    /** The source's own id. */
    source_id: string;
    /** The source's number of the bank, or one made of its name. */
    bank_id: number;
    bank_name: string;
    state: ConnectionState;
    /** The number that the API gives for the state. */
    status: number;
    status_description: string | null;
    last_successful_refresh: MomentOrNull;
    authentication_expires_at: MomentOrNull;
    seen_at: Moment;
  };
  bank_accounts: {
    user_id: string;
    /** Ours; from `bank_account_ids`. */
    id: number;
    source: string;
    /** The source's own id. */
    source_id: string;
    connection_id: number;
    bank_id: number;
    bank_name: string;
    name: string;
    type: string;
    currency: string;
    /** In the currency's minor unit; null when the bank did not give it. */
    balance_minor: number | null;
    balance_kind: Generated<'booked' | 'available' | 'unknown'>;
    /** As of when the bank gave the balance. */
    updated_at: MomentOrNull;
    first_seen_at: Moment;
    /** Since when the source no longer lists it: hidden, and erased some weeks later. */
    gone_at: MomentOrNull;
  };
  /** The last balance the bank gave for a day of Paris. */
  bank_balances: {
    user_id: string;
    account_id: number;
    /** YYYY-MM-DD. */
    day: string;
    balance_minor: number;
    currency: string;
    as_of: Moment;
  };
  bank_refreshes: {
    user_id: string;
    source: string;
    /** When the reading of what is stored began, by the application's clock. */
    refreshed_at: MomentOrNull;
    attempted_at: MomentOrNull;
    /** How the last attempt failed: a kind of BankSourceError. */
    failure: TextOrNull;
    /** A worker is reading until then, by the database's clock. */
    leased_until: MomentOrNull;
    /** Since when a job for it waits in the queue. */
    scheduled_at: MomentOrNull;
    /** Grows with every erasure here: what was read before one is not stored after it. */
    erasures: Generated<number>;
  };
  /** How far the calls of all workers have used up a limit of a source; see banking/calls. */
  bank_calls: {
    source: string;
    name: string;
    /** From then on the row says nothing any more. */
    free_at: Moment;
    moments: Generated<Date[]>;
  };
}
