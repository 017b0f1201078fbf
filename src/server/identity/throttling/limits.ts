import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { ThrottlingLimits } from '../../platform/configuration/configuration.ts';

export type Action =
  | 'sign-in'
  | 'second-factor'
  | 'current-password'
  | 'sign-up'
  | 'password-forgotten'
  | 'password-reset'
  | 'email-confirmation'
  | 'mail-to-mailbox'
  | 'test-message'
  | 'bank-link'
  | 'chat-link';

/** What the tries of an action are counted by. */
export interface ThrottlingKey {
  userId?: string;
  /** In place of a user: the key of an email address or a mailbox, which may belong to none. */
  mailbox?: string;
  /** Of the client. */
  ip: string;
}

/** A counter that a try adds to, and the rule for its value. */
export interface Limit {
  /** A hash, from which neither the address nor the email can be read. */
  counter: string;
  /** A hash of the account; null when the counter is of an address alone. */
  account: string | null;
  /** The counter is of an account and an address. A success makes the account known there. */
  isOfAccountAndAddress: boolean;
  /** After so many failures each further try has to wait: one second, then twice as long each time. */
  freeTries: number;
  longestDelayMs: number;
  /** The limit holds even where the account is known. */
  holdsWhereKnown: boolean;
}

/**
 * The counters of an action, with the names of their limits in the configuration. `failures` takes
 * successful tries back; `all` is for actions that cost something when they succeed: an account, a
 * mail, a message.
 */
interface Rule {
  counts: 'failures' | 'all';
  accountAndAddress?: LimitName;
  account?: LimitName;
  address?: LimitName;
}

type LimitName = Exclude<keyof ThrottlingLimits, 'longestDelaySeconds'>;

const rules: Record<Action, Rule> = {
  'sign-in': {
    counts: 'failures',
    accountAndAddress: 'perAccountAndAddress',
    account: 'perAccount',
    address: 'perAddress',
  },
  'second-factor': {
    counts: 'failures',
    accountAndAddress: 'perAccountAndAddress',
    account: 'secondFactors',
  },
  'current-password': {
    counts: 'failures',
    accountAndAddress: 'perAccountAndAddress',
    account: 'perAccount',
  },
  'sign-up': { counts: 'all', address: 'signUps' },
  'password-forgotten': {
    counts: 'all',
    accountAndAddress: 'mails',
    account: 'perAccount',
    address: 'perAddress',
  },
  'password-reset': { counts: 'failures', address: 'perAddress' },
  'email-confirmation': { counts: 'all', account: 'mails' },
  'mail-to-mailbox': { counts: 'all', account: 'mails' },
  'test-message': { counts: 'all', account: 'tests' },
  'bank-link': { counts: 'failures', account: 'links' },
  'chat-link': { counts: 'all', account: 'links' },
};

/**
 * Actions by which a stranger cannot lock the owner of an account out: four require the password or a
 * session first, and 'mail-to-mailbox' holds back mails for a new account or a new address alone.
 */
const closedToStrangers = new Set<Action>([
  ...(['second-factor', 'email-confirmation', 'bank-link', 'chat-link'] as const),
  'mail-to-mailbox',
]);

export function countsSuccess(action: Action): boolean {
  return rules[action].counts === 'all';
}

/** The limits of one try. */
export function limitsOf(
  configured: ThrottlingLimits,
  action: Action,
  key: ThrottlingKey,
): Limit[] {
  const rule = rules[action];
  const address = networkOf(key.ip);
  const account = accountOf(key) ?? '';
  const longestDelayMs = configured.longestDelaySeconds * 1000;
  // Several people may share the counter, so it only slows them down: by a minute at most.
  const shared = {
    isOfAccountAndAddress: false,
    holdsWhereKnown: false,
    longestDelayMs: Math.min(longestDelayMs, 60_000),
  };
  const own = { account: accountHash(account), holdsWhereKnown: true, longestDelayMs };
  const limits: Limit[] = [];
  if (rule.accountAndAddress) {
    // The text 'place' is part of the counters that are stored.
    const counter = counterHash([action, 'place', account, address]);
    const freeTries = configured[rule.accountAndAddress];
    limits.push({ ...own, counter, isOfAccountAndAddress: true, freeTries });
  }
  if (rule.account) {
    const counter = counterHash([action, 'account', account]);
    const reach = closedToStrangers.has(action) ? own : shared;
    const freeTries = configured[rule.account];
    limits.push({
      ...reach,
      account: own.account,
      counter,
      isOfAccountAndAddress: false,
      freeTries,
    });
  }
  if (rule.address) {
    const counter = counterHash([action, 'address', address]);
    limits.push({ ...shared, account: null, counter, freeTries: configured[rule.address] });
  }
  return limits;
}

export function accountOf({ userId, mailbox }: ThrottlingKey): string | undefined {
  return userId ?? mailbox;
}

/** The value in the column `account` of an account's counters. */
export function accountHash(account: string): string {
  return counterHash(['account', account]);
}

function counterHash(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177),
 * of which a subscriber could use another for each try.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const groups = ip.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
