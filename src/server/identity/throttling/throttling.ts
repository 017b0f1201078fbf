import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { identityErrors } from '../errors.ts';
import { countTry, recordSuccess, uncountTry } from './counters.ts';
import {
  type Action,
  accountHash,
  accountOf,
  countsSuccess,
  limitsOf,
  networkOf,
  type ThrottlingKey,
} from './limits.ts';

type Needed = Pick<Platform, 'database' | 'clock' | 'configuration' | 'log'>;

/**
 * Does `work` unless too many tries of the same action came before: by the same account from the same
 * address, at the same account, or from the same address. A try is counted in the database before the
 * work, so that neither a burst nor a second process gets more of them, and the count is taken back
 * when the work did not fail. Throws `Too_Many_Requests` with the seconds to wait, and any error of
 * `work`.
 */
export async function throttled<T>(
  deps: Needed,
  action: Action,
  key: ThrottlingKey,
  work: () => Promise<T>,
): Promise<T> {
  const now = deps.clock.now();
  const first = await countTry(deps, limitsOf(deps.configuration.limits, action, key), now);
  const log = (end: string) => deps.log.info({ ...traceOf(action, key), end }, 'attempt');
  if ('blockedUntil' in first) {
    log(httpErrors.Too_Many_Requests.code);
    throw tooMany(first.blockedUntil, now);
  }
  const result = await work().catch(async (error: unknown) => {
    log(error instanceof ApiError ? error.code : 'broken off');
    if (!isFailure(error)) await uncountTry(deps, first.incremented);
    throw error;
  });
  if (!countsSuccess(action)) await recordSuccess(deps, first.incremented, now);
  log('done');
  return result;
}

/** The account is known at this address from now on, as after a sign-in there. */
export async function makeKnown(deps: Needed, key: { mailbox: string; ip: string }): Promise<void> {
  const now = deps.clock.now();
  const limits = limitsOf(deps.configuration.limits, 'sign-in', key);
  const own = limits.filter(({ isOfAccountAndAddress }) => isOfAccountAndAddress);
  const counted = await countTry(deps, own, now);
  if ('incremented' in counted) await recordSuccess(deps, counted.incremented, now);
}

/** For the investigation of an attack: lines of the same account or network have the same values. */
function traceOf(action: Action, key: ThrottlingKey): object {
  const account = accountOf(key);
  const hash = account === undefined ? {} : { account: accountHash(account) };
  return { action, ...hash, network: networkOf(key.ip) };
}

/** Only errors of the person who tries: neither a missing second factor nor an error of the server. */
function isFailure(error: unknown): boolean {
  return error instanceof ApiError && error.statusCode < 500 && !noFailures.has(error.code);
}

const noFailures = new Set<string>([
  identityErrors.Second_Factor_Required.code,
  httpErrors.Too_Many_Requests.code,
]);

function tooMany(blockedUntil: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000));
  return new ApiError(httpErrors.Too_Many_Requests, {
    message: `Trop de tentatives. Réessayez dans ${inWords(seconds)}.`,
    retryAfter: seconds,
  });
}

function inWords(seconds: number): string {
  if (seconds === 1) return '1 seconde';
  if (seconds < 90) return `${seconds} secondes`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
