import type { Logger } from 'pino';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SignedCall } from '../../platform/http/signed-route.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { ServiceCheck } from '../service-check.ts';
import type {
  ClientDetails,
  ConnectSession,
  FileConnect,
  FormConnect,
  ManualConnect,
  RedirectConnect,
  SourceLink,
} from './connect.ts';

/** What a bank source is opened with. */
export interface BankSourceDeps {
  httpClient: HttpClient;
  clock: Clock;
  log: Logger;
  callLimiter: CallLimiter;
  keyedLimiter: KeyedLimiter;
}

/**
 * A service that tells a person's balances, in our words. Only the folder of a source knows its
 * field names, codes and limits; ids are the source's own texts, and banking gives each a number of
 * ours. Every function throws `BankSourceError` for what went wrong at the source.
 */
export interface BankSource {
  /** As the service writes its name. */
  name: string;
  /** French, under a bank that it would link: by whom, at which price, for which accounts. */
  note: string;
  /**
   * Whose credentials open it: the installation's (environment variables), or those of each person,
   * which banking keeps sealed and which only the source itself reads (`SourceLink.secret`).
   */
  credentials: 'installation' | 'person';
  connect: FormConnect | RedirectConnect | FileConnect | ManualConnect;
  policy: ReadingPolicy;
  /**
   * Everything that this link gives access to, all pages. What cannot be read makes the whole reading
   * fail: half a list would pass for a whole one, and what it lacks for something that went away.
   * `known`: the ids of the connections that are stored of it. One that none of the link's accesses opens
   * is told as `unread`, because only a removal ends it.
   */
  read(
    link: SourceLink,
    clientDetails: ClientDetails | null,
    known: string[],
  ): Promise<BankReading>;
  /**
   * Asked about a connection that a reading lacks: whether the source still has it, in its own words
   * about this very connection. Without an answer it throws.
   */
  hasConnection?(link: SourceLink, connectionId: string): Promise<boolean>;
  /**
   * Ends one connection with its accounts; one that is already gone counts as done. Returns how
   * the person's stored secret changes for the connections that remain; null, or a change to null, when
   * there is none to keep. `others`: the ids of the link's other connections, as they are stored when the
   * change is made. The change may throw `BankSourceError` where the connection was renewed meanwhile.
   */
  removeConnection(
    link: SourceLink,
    connectionId: string,
  ): Promise<((known: string | null, others: string[]) => string | null) | null>;
  /**
   * Which accounts of a connection another one of the link opens too, which goes on giving them once the first
   * is removed: that one's id, by the account's. Does not throw where the source cannot tell.
   */
  sharedAccounts?(link: SourceLink, connectionId: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Ends everything that a stored secret opens, because its person's account is deleted; what is ended
   * already counts as done. For a source with `longestAccessMs` in its definition.
   */
  endAccesses?(secret: string): Promise<void>;
  /** French, asked before a removal: what the person still has to end at the service. */
  removalNote?: string;
  /** Whether it is reached and takes the installation's credentials. Does not throw for that. */
  check?(): Promise<ServiceCheck>;
  /** For a source that keeps users of its own: ours must be registered before anything else. */
  users?: BankUsers;
  /** For a source that tells by itself when something changed. */
  webhook?: SignedWebhook;
  /** An address of the source's own page about one connection. Made at the click: it expires soon. */
  openEditPage?(
    link: SourceLink,
    session: ConnectSession & { connectionId: string },
  ): Promise<string>;
  /**
   * The banks of a country (ISO 3166) that it links, by their public names. `link` is the person's, for
   * a source that shows its list to those who have one; null before that. A source without a list is a
   * bank itself.
   */
  listBanks?(country: string, link: SourceLink | null): Promise<ListedBank[]>;
  /**
   * For a source whose figures a button can renew: has the banks of one connection asked at once. The
   * link is then read with the same client details. Throws kind `page-limit` when it was pressed too soon.
   */
  refreshNow?(link: SourceLink, connectionId: string, clientDetails: ClientDetails): Promise<void>;
  /**
   * The booked transactions of these accounts since a day (YYYY-MM-DD). They are not stored. A source that
   * leaves this out tells none.
   */
  readTransactions?(
    link: SourceLink,
    accountIds: string[],
    since: string,
  ): Promise<TransactionsOfAccounts>;
}

/** When banking reads a link, beside what the source tells by its `webhook`. */
export interface ReadingPolicy {
  /** A page that shows balances asks the source first. */
  atPageLoad: boolean;
  /**
   * Balances that a message is about to say are read at some moment of the last `withinMs` before it,
   * when they would be older than `freshForMs` at its time; null: they are taken as they are stored.
   */
  beforeMessage: { withinMs: number; freshForMs: number } | null;
  /**
   * From 07:00 to 22:00, accounts that an alert watches are read when their last reading is older than
   * `everyMs`, as far as the source's limits of calls allow. Left out: not for alerts alone.
   */
  forAlerts?: { everyMs: number };
}

/**
 * Limits the calls of a source to its `quota`. Asked before each call, with the source's id of the user
 * when it is made for one. Gives 0 for yes, or the milliseconds to wait. A reading can wait, and leaves
 * calls for an `act`: what a person pressed a button for.
 */
export type CallLimiter = (
  providerUserId: string | null,
  purpose: 'reading' | 'act',
) => Promise<number>;

/**
 * Limits by a key what a source or a bank allows a few times, such as the readings of one account in a
 * day: at most `most` in any `spanMs` of the application's clock. Gives 0 for yes, and counts it, or the
 * milliseconds to wait. `key` is the source's own, and is stored as a hash.
 */
export type KeyedLimiter = ((
  key: string,
  limit: { most: number; spanMs: number },
) => Promise<number>) & {
  /** For a use that came to nothing: the last one of this key counts no more. */
  giveBack?(key: string): Promise<void>;
};

export interface BankReading {
  connections: BankConnection[];
  /** Those that the person shares. */
  accounts: BankAccount[];
  /** The ids of accounts that the source says are no longer shared: these are hidden at once. */
  unshared?: string[];
  /** Known connections of which nothing could be read while others were: they stay, in this state. */
  unread?: { id: string; state: ConnectionState }[];
  /**
   * The ids of accounts that an `unread` connection opens, told where another one may open them too: those
   * that are not listed stay, under whichever connection they are stored.
   */
  unreadAccounts?: string[];
}

export interface BankConnection {
  id: string;
  state: ConnectionState;
  /** The source's number for the state, passed on by the API; null when it has none. */
  code: number | null;
  /** The source's own words for the state (French), shown when ours say too little. */
  description: string | null;
  bank: BankName;
  lastSuccessfulRefresh: Date | null;
  authenticationExpiresAt: Date | null;
}

export interface BankAccount {
  id: string;
  connectionId: string;
  name: string;
  /** Lower case; `checking` accounts are shown and counted. */
  type: string;
  bank: BankName;
  balance: Balance;
  /**
   * Its IBAN or number, by which it is found again when the source gives it another id. Only a
   * fingerprint of it is stored, so that it is not the id either. Null or missing when the source does
   * not say it.
   */
  number?: string | null;
}

export type BankName = {
  /** The source's id of the bank; null when it has only a name. */
  id: string | null;
} & (
  | { name: string }
  /** Not told at this reading: a stored name stays, and `unnamed` (French) stands where there is none. */
  | { name: null; unnamed: string }
);

/** A bank that can be chosen here. */
export interface ListedBank {
  /** The source's own id of it, given back when it is chosen. */
  id: string;
  name: string;
}

export interface Balance {
  /** In the currency's minor unit; null when the bank did not give it. */
  minor: number | null;
  /** ISO 4217. */
  currency: string;
  kind: BalanceKind;
  /** When the bank gave it; null when it did not say. */
  asOf: Date | null;
  /** The bank named a day alone, of which `asOf` is the first moment: the figure is that of its end. */
  isOfDay?: boolean;
  /**
   * The source could not renew it at its last try: it is a new figure only where its amount differs from
   * the stored balance and its date is later, and otherwise that one stays, with its own date.
   */
  isUnrenewed?: boolean;
}

/** `booked`: entries of the account alone; `available`: with what is pending or an overdraft. */
export type BalanceKind = 'booked' | 'available' | 'unknown';

export interface TransactionsOfAccounts {
  /** In any order. */
  transactions: BankTransaction[];
  /** The accounts, by the source's ids, that could not be read, or not whole, while others were. */
  unread: string[];
}

/** One movement of an account. */
export interface BankTransaction {
  /** The same at each reading. */
  id: string;
  accountId: string;
  /** YYYY-MM-DD, as the bank booked it. */
  day: string;
  /** In the currency's minor unit: negative for money that left. */
  minor: number;
  /** ISO 4217. */
  currency: string;
  /** As the bank or the source writes it; may be empty. */
  label: string;
}

export interface BankUsers {
  /** Registers our user there, or finds the one already registered. Returns the source's id. */
  register(userId: string): Promise<string>;
  /**
   * Removes our user there with all connections. `providerUserId` null: found by our own id, so that
   * a registration whose answer was lost is removed too. One that is already gone counts as done: it was
   * not there.
   */
  remove(user: { userId: string; providerUserId: string | null }): Promise<{ wasThere: boolean }>;
  /**
   * After `unknown-user`: whether it says so a second time, asked in another way. Of other users it is
   * asked too, before anything is erased.
   */
  isUserGone(link: SourceLink): Promise<boolean>;
}

export interface SignedWebhook {
  /** Under `/api`. */
  path: string;
  /** Longer ones are refused unread. */
  maxBytes: number;
  /** Null when the call is not signed by the source. */
  read(call: SignedCall): WebhookEvent | null;
}

/** May be old, repeated or out of order: it says whose data to read again, never what it is. */
export interface WebhookEvent {
  /** The source's id of the user; null when nothing of interest happened. */
  changedUser: string | null;
}
