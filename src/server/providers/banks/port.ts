import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { ServiceCheck } from '../service-check.ts';
import type { SignedCall } from '../signed-call.ts';

/** What a bank source is opened with. */
export interface BankOutside {
  httpClient: HttpClient;
  clock: Clock;
  log: Logger;
  allowance: CallAllowance;
}

/**
 * A bank-aggregation provider, in our words. Outside `providers/bridge/` nobody names a field of
 * Bridge; the mapping there is pure and tested on recorded payloads.
 */
export interface BankProvider {
  /** Registers our user there, or finds the one already registered. Returns the provider's id. */
  registerUser(userId: string): Promise<string>;
  /**
   * Removes our user there with all connections. `providerUserId` null: found by our own id, so that
   * a registration whose answer was lost is removed too. One that is already gone counts as done.
   */
  removeUser(user: { userId: string; providerUserId: string | null }): Promise<void>;
  /** After `unknown-user`: whether it says so a second time, asked in another way. */
  hasForgotten(user: BankUser): Promise<boolean>;
  /** Every connection of the user, all pages, with the bank's name. */
  listItems(user: BankUser): Promise<BankConnection[]>;
  /**
   * Every account the user shares, all pages; accounts whose access is disabled are left out. Some
   * name their bank by their connection alone: `items`, read before, spare reading them again.
   */
  listAccounts(user: BankUser, items?: BankConnection[]): Promise<SharedAccount[]>;
  /** Removes a connection with its accounts. One that is already gone counts as done. */
  deleteItem(user: BankUser, itemId: number): Promise<void>;
  /** An address of the provider's own page. Make it at the click: it does not live long. */
  openConnectPage(user: BankUser, visit: ConnectVisit): Promise<string>;
  /** Whether it is reached and takes our credentials. Never throws for that. */
  check(): Promise<ServiceCheck>;
  /** What the provider tells us by itself; null when the call is not signed by it. */
  readNotice(call: SignedCall): BankNotice | null;
}

/** May be old, repeated or out of order: it says whose data to read again, never what it is. */
export interface BankNotice {
  /** The provider's id of the user; null when nothing of interest happened. */
  changedUser: string | null;
}

/**
 * Asked before each call, with the provider's id of the user when it is made for one. Gives 0 for
 * yes, or the milliseconds until the limits have room again. A reading can wait and leaves room
 * for an `act`: what a person pressed a button for.
 */
export type CallAllowance = (
  providerUserId: string | null,
  purpose: 'reading' | 'act',
) => Promise<number>;

export interface BankUser {
  userId: string;
  providerUserId: string;
  email: string;
}

export interface ConnectVisit {
  /** The connection to repair; without it, a new one. */
  itemId?: number;
  /** Where the provider sends the browser back to. */
  callbackUrl: string;
  /** Given back on return: at most 100 characters of A-Z a-z 0-9 and dash. */
  nonce: string;
}

export interface BankConnection {
  id: number;
  /** The provider's status code; its words in the interface are `shared/banks/item-states.ts`. */
  status: number;
  statusDescription: string | null;
  bank: { id: number; name: string };
  lastSuccessfulRefresh: Date | null;
  authenticationExpiresAt: Date | null;
}

export interface SharedAccount {
  id: number;
  itemId: number;
  name: string;
  type: string;
  /** In the currency's minor unit; null when the bank did not give it. */
  balanceMinor: number | null;
  currency: string;
  updatedAt: Date | null;
  bank: { id: number; name: string };
}

const failures = [
  'refused',
  'unavailable',
  'limited',
  'management-limit',
  'unknown-item',
  'unknown-user',
] as const;
export type BankFailure = (typeof failures)[number];

export function isBankFailure(text: string | null): text is BankFailure {
  return failures.some((failure) => failure === text);
}

/**
 * What a provider throws. `refused`: it answered no. `unavailable`: it did not answer, or said
 * "later". `limited`: a limit was met. `management-limit`: four management sessions of this item
 * in 24 hours. `unknown-item`: no such connection of this user. `unknown-user`: it has forgotten
 * the user, who must be registered again.
 */
export class BankProviderError extends Error {
  readonly kind: BankFailure;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: BankFailure,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'BankProviderError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
