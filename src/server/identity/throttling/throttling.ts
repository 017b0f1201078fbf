import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { identityErrors } from '../errors.ts';
import { count, forgive, succeed } from './counters.ts';
import { type Action, accountHash, countsSuccess, limitsOf, type Who } from './limits.ts';
import { networkOf } from './network.ts';

type Needed = Pick<Platform, 'database' | 'clock' | 'configuration' | 'log'>;

/**
 * Does `work` unless too many attempts at the same action came before: by the same account from the
 * same address, at the same account, from the same address. Counted in the database before the work,
 * so that neither a burst nor a second process gets more tries, and taken back when it was no failure.
 * Throws `Too_Many_Requests` with the seconds to wait, and whatever `work` throws.
 */
export async function attempt<T>(
  deps: Needed,
  action: Action,
  who: Who,
  work: () => Promise<T>,
): Promise<T> {
  const now = deps.clock.now();
  const first = await count(deps, limitsOf(deps.configuration.limits, action, who), now);
  const note = (end: string) => deps.log.info({ ...traceOf(action, who), end }, 'attempt');
  if ('blockedUntil' in first) {
    note(httpErrors.Too_Many_Requests.code);
    throw tooMany(first.blockedUntil, now);
  }
  const result = await work().catch(async (error: unknown) => {
    note(error instanceof ApiError ? error.code : 'broken off');
    if (!isFailure(error)) await forgive(deps, first.counted);
    throw error;
  });
  if (!countsSuccess(action)) await succeed(deps, first.counted, now);
  note('done');
  return result;
}

/** For whoever looks into an attack: the same account and network are seen to be the same. */
function traceOf(action: Action, { account, address }: Who): object {
  const whose = account === undefined ? {} : { account: accountHash(account) };
  return { action, ...whose, network: networkOf(address) };
}

/** A right password whose second factor is still missing is no guess that failed, nor is our fault. */
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
