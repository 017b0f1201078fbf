import type { ColumnType, Generated } from 'kysely';
import type { Moment, MomentOrNull, TextOrNull } from './columns.ts';

/** Accounts, the mails to their owners and to operators, and what is left of a deleted account. */
export interface AccountTables {
  users: {
    id: string;
    email: string;
    /** The email as it is compared: NFKC, lower case. */
    email_key: string;
    password_hash: string;
    firstname: string;
    lastname: string;
    terms_accepted_at: Moment;
    created_at: Moment;
    /** Null until the owner of `email` confirmed it. It blocks nothing. */
    email_confirmed_at: MomentOrNull;
    /**
     * What a confirmed account set up before this moment may be that of a stranger who only typed the
     * address: a reset by mail ends it. Null once mailbox and account were shown to be of one person.
     */
    unproven_before: MomentOrNull;
  };
  sessions: {
    /** SHA-256 of the token, hex: the token itself is never stored. */
    token_hash: string;
    /** No foreign key: a token whose user is gone must still be told apart from an unknown one. */
    user_id: string;
    created_at: Moment;
    last_used_at: Moment;
    expires_at: Moment;
    device: string | null;
    /** Its name in the list of sessions; it opens nothing. */
    id: Generated<string>;
  };
  /** A link that was mailed or printed and works once; the token in it is not stored. */
  account_links: {
    token_hash: string;
    user_id: string;
    purpose: 'password' | 'email';
    /**
     * The address it was sent to. It is confirmed by a new password that is set with the link, or by its
     * button together with the session or the password of the account: decision 20. Null for a link that
     * was printed.
     */
    email: string | null;
    created_at: Moment;
    expires_at: Moment;
  };
  second_factors: {
    user_id: string;
    sealed_secret: string;
    /** Null until the first code was given: signing in does not ask for one before. */
    confirmed_at: MomentOrNull;
    /** The latest time step (30 s since 1970) whose code was taken: that one and older are refused. */
    used_step: Generated<number>;
    created_at: Moment;
  };
  /** Argon2 is for what people choose: a code of 80 random bits is kept as SHA-256. Used ones go. */
  recovery_codes: {
    user_id: string;
    code_hash: string;
  };
  /** How often something that may be abused was tried; see identity/throttling/limits.ts. */
  attempts: {
    /** A hash: of what is tried, and of the account, the address or both. */
    counter: string;
    /** The same account in all its counters, as a hash; null when it is about an address alone. */
    account: string | null;
    failures: Generated<number>;
    counted_at: Moment;
    blocked_until: MomentOrNull;
    /** The account signed in from this address, not long before. */
    known_until: MomentOrNull;
    expires_at: Moment;
  };
  mails: MailColumns & {
    user_id: string;
    id: string;
    /** One mail per user, cause and day. */
    cause: string;
    day: string;
    /** What stands for `[lien]` in the body, sealed for this row; null once sent. */
    sealed_link: TextOrNull;
  };
  /** What was told to an address of OPERATOR_EMAILS: once per cause and day. */
  operator_mails: MailColumns & {
    cause: string;
    day: string;
  };
  /** The erasure of an account, from its request until the receipt is mailed. */
  deletions: {
    id: string;
    receipt_hash: string;
    /** These three are forgotten as soon as they are needed no more. */
    user_id: string | null;
    /** By bank source, its id of the user. Written as JSON. */
    provider_users: ColumnType<Record<string, string> | null, string | null, string | null>;
    recipient: string | null;
    requested_at: Moment;
    /** When the work on it last began. */
    tried_at: Moment;
    data_done_at: MomentOrNull;
    bank_done_at: MomentOrNull;
    chat_done_at: MomentOrNull;
    /** The chats in which an access could not be ended. */
    unrevoked_chats: Generated<string[]>;
    mailed_at: MomentOrNull;
  };
  /** A chat's secret still to be revoked, moved here with the key it was sealed for in destinations. */
  deletion_chats: {
    user_id: string;
    id: string;
    chat: string;
    team_id: string;
    sealed_secret: string;
  };
  /** A person's own credentials with which accesses are still to be ended, copied here from bank_links. */
  deletion_banks: {
    user_id: string;
    source: string;
    sealed_secret: string;
  };
}

interface MailColumns {
  recipient: string;
  subject: string;
  body: string;
  created_at: Moment;
  sent_at: MomentOrNull;
  failure: TextOrNull;
}
