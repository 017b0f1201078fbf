import { Refusal } from '../errors/refusal.ts';
import type { Parts } from '../parts.ts';
import { count, forgive, succeed } from './counters.ts';
import { type Action, countsSuccess, limitsOf, type Who } from './limits.ts';

type Needed = Pick<Parts, 'database' | 'clock' | 'configuration'>;

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
  if ('blockedUntil' in first) throw tooMany(first.blockedUntil, now);
  const result = await work().catch(async (error: unknown) => {
    if (!isFailure(error)) await forgive(parts, first.counted);
    throw error;
  });
  if (!countsSuccess(action)) await succeed(parts, first.counted, now);
  return result;
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
