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
    /** Since when its source no longer lists it: hidden, and erased when a later reading confirms it. */
    gone_at: MomentOrNull;
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
    /** Since when the source no longer lists it: hidden, and erased some weeks after it is confirmed. */
    gone_at: MomentOrNull;
    /** The source said so itself, or a reading an hour later missed it too. */
    gone_confirmed: Generated<boolean>;
    /**
     * A fingerprint: the same for one account under every id that its source gives it; null when it has
     * no number.
     */
    print: TextOrNull;
    /** The same of its number in other writings, which files of it said before the one of `print`. */
    other_prints: Generated<string[]>;
    /**
     * A fingerprint: the same for one account through every source that tells its IBAN; null without one.
     */
    iban_print: TextOrNull;
  };
  /** Which folder below STATEMENTS_DIR feeds which account; see banking/statements/folders. */
  statement_folders: {
    name: string;
    user_id: string;
    /** How the account is called, if no file of it was imported before. */
    bank_name: string;
    account_name: string;
    /** Of the account in a file of several, as in `bank_accounts`; null when the operator named none. */
    iban_print: TextOrNull;
    /** By which the account is known; null until a first file was read. */
    account_source_id: TextOrNull;
    created_at: Moment;
    /** A worker reads it until then, by the database's clock. */
    leased_until: MomentOrNull;
    /** When the last file was read, and when and why the last one was refused. */
    read_at: MomentOrNull;
    refused_at: MomentOrNull;
    refusal: TextOrNull;
    /** When the last file that was read or refused could not be moved aside, and its name; null once it was. */
    left_at: MomentOrNull;
    left_file: TextOrNull;
  };
  /** The mails that announced the end of a consent. */
  bank_reminders: {
    user_id: string;
    connection_id: number;
    kind: '14-days' | '3-days';
    /** The day of Paris on which the consent ends, YYYY-MM-DD. */
    ends_on: string;
    created_at: Moment;
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
    /** How the last attempt failed: a kind of BankSourceError, or `fault` for an error of ours. */
    failure: TextOrNull;
    /** Since when the source says that it does not know the user. */
    unknown_since: MomentOrNull;
    /** A worker is reading until then, by the database's clock. */
    leased_until: MomentOrNull;
    /** Since when a job for it waits in the queue. */
    scheduled_at: MomentOrNull;
    /** Grows with every erasure here: what was read before one is not stored after it. */
    erasures: Generated<number>;
  };
  /** How far the calls of all workers have used up a limit of a source; see banking/call-limits. */
  bank_calls: {
    source: string;
    name: string;
    /** From then on the row says nothing any more. */
    free_at: Moment;
    moments: Generated<Date[]>;
  };
}
