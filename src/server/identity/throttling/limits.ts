import { createHash } from 'node:crypto';
import type { ThrottlingLimits } from '../../platform/configuration/configuration.ts';
import { networkOf } from './network.ts';

export type Action =
  | 'sign-in'
  | 'second-factor'
  | 'current-password'
  | 'sign-up'
  | 'password-forgotten'
  | 'password-reset'
  | 'email-confirmation'
  | 'test-message';

export interface Who {
  /** A user's id, or the key of an e-mail that may be nobody's; none where nobody is named. */
  account?: string;
  /** Where the request came from. */
  address: string;
}

/** One counter that an attempt adds to, and what follows from what it shows. */
export interface Limit {
  /** Nobody reads an address or an e-mail from it. */
  counter: string;
  /** Whose it is, in the same unreadable form; null when it is about an address alone. */
  account: string | null;
  /** An account from an address: one that signed in there is known there. */
  isPlace: boolean;
  /** The failure after which the next try waits a second; each one more doubles that. */
  free: number;
  longestDelayMs: number;
  /** Holds also for whom is known there. */
  always: boolean;
}

/**
 * What is counted, and the name of its figure in the configuration. `failures` forgives what went
 * well; `all` is for what bothers somebody when it works: an account, a mail, a message.
 */
interface Rule {
  counts: 'failures' | 'all';
  place?: Figure;
  account?: Figure;
  address?: Figure;
}

type Figure = Exclude<keyof ThrottlingLimits, 'longestDelaySeconds'>;

const rules: Record<Action, Rule> = {
  'sign-in': {
    counts: 'failures',
    place: 'perAccountAndAddress',
    account: 'perAccount',
    address: 'perAddress',
  },
  'second-factor': { counts: 'failures', place: 'perAccountAndAddress', account: 'secondFactors' },
  'current-password': { counts: 'failures', place: 'perAccountAndAddress', account: 'perAccount' },
  'sign-up': { counts: 'all', address: 'signUps' },
  'password-forgotten': {
    counts: 'all',
    place: 'mails',
    account: 'perAccount',
    address: 'perAddress',
  },
  'password-reset': { counts: 'failures', address: 'perAddress' },
  'email-confirmation': { counts: 'all', account: 'mails' },
  'test-message': { counts: 'all', account: 'tests' },
};

/** Asked only of whoever knows the password: no outsider keeps the owner away by failing there. */
const onlyByOwner = new Set<Action>(['second-factor', 'email-confirmation']);

export function countsSuccess(action: Action): boolean {
  return rules[action].counts === 'all';
}

/** The counters of one attempt: nobody else's account, nobody else's address. */
export function limitsOf(configured: ThrottlingLimits, action: Action, who: Who): Limit[] {
  const rule = rules[action];
  const address = networkOf(who.address);
  const account = who.account ?? '';
  const longestDelayMs = configured.longestDelaySeconds * 1000;
  // Where others may be behind the same counter, it slows down and never keeps anybody away.
  const shared = {
    isPlace: false,
    always: false,
    longestDelayMs: Math.min(longestDelayMs, 60_000),
  };
  const own = { account: accountHash(account), always: true, longestDelayMs };
  const limits: Limit[] = [];
  if (rule.place) {
    const counter = hashOf([action, 'place', account, address]);
    limits.push({ ...own, counter, isPlace: true, free: configured[rule.place] });
  }
  if (rule.account) {
    const counter = hashOf([action, 'account', account]);
    const reach = onlyByOwner.has(action) ? own : shared;
    const free = configured[rule.account];
    limits.push({ ...reach, account: own.account, counter, isPlace: false, free });
  }
  if (rule.address) {
    const counter = hashOf([action, 'address', address]);
    limits.push({ ...shared, account: null, counter, free: configured[rule.address] });
  }
  return limits;
}

/** Under what the counters of an account are found again. */
export function accountHash(account: string): string {
  return hashOf(['account', account]);
}

function hashOf(deps: string[]): string {
  return createHash('sha256').update(JSON.stringify(deps)).digest('base64url');
}
