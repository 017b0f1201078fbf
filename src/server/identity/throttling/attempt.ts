import { Refusal } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
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
  parts: Needed,
  action: Action,
  who: Who,
  work: () => Promise<T>,
): Promise<T> {
  const now = parts.clock.now();
  const first = await count(parts, limitsOf(parts.configuration.limits, action, who), now);
  const note = (end: string) => parts.log.info({ ...traceOf(action, who), end }, 'attempt');
  if ('blockedUntil' in first) {
    note('Too_Many_Requests');
    throw tooMany(first.blockedUntil, now);
  }
  const result = await work().catch(async (error: unknown) => {
    note(error instanceof Refusal ? error.code : 'broken off');
    if (!isFailure(error)) await forgive(parts, first.counted);
    throw error;
  });
  if (!countsSuccess(action)) await succeed(parts, first.counted, now);
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
  return error instanceof Refusal && error.statusCode < 500 && !noFailures.has(error.code);
}

const noFailures = new Set<string>(['Second_Factor_Required', 'Too_Many_Requests']);

function tooMany(blockedUntil: Date, now: Date): Refusal {
  const seconds = Math.max(1, Math.ceil((blockedUntil.getTime() - now.getTime()) / 1000));
  return new Refusal('Too_Many_Requests', {
    message: `Trop de tentatives. Réessayez dans ${inWords(seconds)}.`,
    retryAfter: seconds,
  });
}

function inWords(seconds: number): string {
  if (seconds === 1) return '1 seconde';
  if (seconds < 90) return `${seconds} secondes`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
