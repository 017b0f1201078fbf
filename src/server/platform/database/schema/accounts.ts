import type { Generated } from 'kysely';
import type { Moment, MomentOrNull } from './columns.ts';

export interface AccountTables {
  users: UserTable;
  sessions: SessionTable;
  account_links: AccountLinkTable;
  second_factors: SecondFactorTable;
  recovery_codes: RecoveryCodeTable;
  attempts: AttemptTable;
}

interface UserTable {
  id: string;
  email: string;
  /** The e-mail as it is compared: NFKC, lower case. */
  email_key: string;
  password_hash: string;
  firstname: string;
  lastname: string;
  terms_accepted_at: Moment;
  created_at: Moment;
  /** Null until a link sent to `email` was followed. It blocks nothing. */
  email_confirmed_at: MomentOrNull;
}

interface SessionTable {
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
}

/** A link that was mailed or printed and works once; the token in it is not stored. */
interface AccountLinkTable {
  token_hash: string;
  user_id: string;
  purpose: 'password' | 'email';
  /** The address it was sent to, which following it confirms; null for one that was printed. */
  email: string | null;
  created_at: Moment;
  expires_at: Moment;
}

interface SecondFactorTable {
  user_id: string;
  sealed_secret: string;
  /** Null until the first code was given: signing in does not ask for one before. */
  confirmed_at: MomentOrNull;
  /** The latest time step (30 s since 1970) whose code was taken: that one and older are refused. */
  used_step: Generated<number>;
  created_at: Moment;
}

/** Argon2 is for what people choose: a code of 80 random bits is kept as SHA-256. Used ones go. */
interface RecoveryCodeTable {
  user_id: string;
  code_hash: string;
}

/** How often something that may be abused was tried; see attempts/limits.ts. */
interface AttemptTable {
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
}
