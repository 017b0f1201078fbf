import type { ReturnOutcome } from '../../../shared/banks/returns.ts';
import type { DeclaredField } from '../../../shared/contract/declared-fields.ts';
import type { StatementTable, TableChoice } from '../../../shared/contract/statements.ts';

/** The person types what opens the source: one call checks it. */
export interface FormConnect {
  kind: 'form';
  /** What the person does before, in French: where the values are found. */
  steps: string[];
  fields: DeclaredField[];
  /** A stand-in is asked: the form says that no real secret belongs here. */
  isDemonstration: boolean;
  /** The service's own page where the person renews a consent and adds banks; null without one. */
  page: string | null;
  /**
   * Checks the values and returns how they change the secret: a source that takes several accesses joins
   * them. Throws kind `credentials`, with a sentence that says what was refused.
   */
  check(values: Record<string, string>): Promise<Completion['changeSecret']>;
  /** How many accesses a secret holds, read already or not: each opens one bank at least. */
  countAccesses(secret: string): number;
}

/** The person gives a file that the bank exported; banking keeps what it says. */
export interface FileConnect {
  kind: 'file';
  /** What the person does before, in French: where to find such a file. */
  steps: string[];
  /** The ends of file names, for the browser's picker. */
  accept: string;
  maxBytes: number;
  /**
   * Reads one file within limits of time and memory, and keeps nothing of it. Throws kind `unreadable`
   * with a sentence that says where.
   */
  read(bytes: Uint8Array, asked: TableChoice): Promise<StatementFile>;
}

export interface StatementFile {
  format: 'camt' | 'ofx' | 'csv' | 'xlsx';
  /** Empty while the columns of a table do not tell a balance. */
  accounts: StatementAccount[];
  table: StatementTable | null;
}

/** What a file says of one account. */
export interface StatementAccount {
  /** IBAN or account number in one writing for all formats; null when the file does not say it. */
  number: string | null;
  name: string | null;
  bankName: string | null;
  /** `checking` also where the file does not say it. */
  type: 'checking' | 'savings' | 'card' | 'loan';
  /** ISO 4217. */
  currency: string;
  /**
   * At the end of days (YYYY-MM-DD), oldest first and at least one, in minor units. `at`: when it was so,
   * for a balance in the course of its day.
   */
  balances: { day: string; minor: number; at?: Date }[];
  /** The first line of a table whose amount and balance contradict the other rows. */
  disagreeingLine?: number;
}

/** The person types each figure with its day; banking keeps them. */
export interface ManualConnect {
  kind: 'manual';
}

/** The person goes to a page of the source or of the bank, and comes back to `callback`. */
export interface RedirectConnect {
  kind: 'redirect';
  /** Where the bank is chosen: `here`, from `listBanks`, or `there`, on the source's page. */
  banks: 'here' | 'there';
  /** What a person gives before their first bank, where the credentials are theirs. */
  access?: AccessForm;
  /** The address of that page. Made at the click: it expires soon. */
  begin(link: SourceLink, session: ConnectSession): Promise<string>;
  callback: ConnectCallback;
  /**
   * Exchanges what came back for a change of the stored secret. Called once per session, after a return
   * whose outcome is `done`, and only for the signed-in person who went there. `connectionId`: the
   * connection that was repaired, null for a new one. Throws kind `no-accounts` when the person shared
   * none.
   */
  complete?(
    link: SourceLink,
    query: Record<string, string>,
    clientDetails: ClientDetails,
    connectionId: string | null,
  ): Promise<Completion>;
}

export interface Completion {
  /** The secret to store, made of the one that is stored then: another return may have changed it. */
  changeSecret(known: string | null): string;
  /** Once it is stored. A failure of it is written to the log alone. */
  afterwards?(): Promise<void>;
  /** Where it is not stored: ends at the source what was opened there. A failure is written to the log. */
  undo?(): Promise<void>;
}

/** As a form, but it links no bank yet. `callbackUrl` is where the source is to send browsers back to. */
interface AccessForm extends Pick<FormConnect, 'fields' | 'isDemonstration'> {
  steps(callbackUrl: string): string[];
  /** How many banks were linked by this secret, read already or not. */
  countAccesses(secret: string): number;
  check(values: Record<string, string>, callbackUrl: string): Promise<Completion['changeSecret']>;
}

export interface ConnectSession {
  /** The connection to repair; without it, a new one. */
  connectionId?: string;
  /** The consent ends soon: it is to be renewed although nothing is wrong with the connection yet. */
  renews?: boolean;
  /** The bank that was chosen here. */
  bankId?: string;
  /** Where the source sends the browser back to. */
  callbackUrl: string;
  /** Given back on return: at most 100 characters of A-Z a-z 0-9 and dash. */
  nonce: string;
}

/** How the browser comes back: nothing is believed but the nonce, which only we could have made. */
export interface ConnectCallback {
  /** Under `/api`; `/banks/callback/<kind>` unless another address is frozen. */
  path?: string;
  /** The names of what the query may hold, for the documentation of the API. */
  parameters: readonly string[];
  /**
   * `providerUserId`: whose return the source says it is, null when it does not say. `connectionId`: which
   * connection it says was added; left out where it does not say.
   */
  read(query: Record<string, string>): {
    nonce: string;
    providerUserId: string | null;
    connectionId?: string;
    outcome: ReturnOutcome;
  };
}

/** The link of one person to one source: how the source knows the person, and their own credentials. */
export interface SourceLink {
  userId: string;
  email: string;
  /** The source's id of our user; null for a source without `users`. */
  providerUserId: string | null;
  /**
   * What `changeSecret` of `check` or `complete` made; null for a source with the installation's
   * credentials, and before the person gave any.
   */
  secret: string | null;
}

/** Of the person's own request, passed on to banks that ask for it; null for scheduled work. */
export interface ClientDetails {
  ip: string;
  userAgent: string | null;
  accept: string | null;
  acceptLanguage: string | null;
  acceptEncoding: string | null;
  referer: string | null;
}
