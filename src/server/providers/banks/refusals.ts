import { createHash } from 'node:crypto';
import { hourMs } from '../../../shared/calendar/durations.ts';
import type { Clock } from '../../platform/clock.ts';
import { dropOldest } from './bounded-map.ts';
import { BankSourceError } from './failures.ts';

export type Refusals = ReturnType<typeof createRefusals>;

/** A service may slow the whole installation down for refusals that are repeated within the hour. */
const longestMs = hourMs;
/** After "too many calls" that do not say for how long. */
const usualLimitSeconds = 60;
const maxRefusals = 10_000;

/** What credentials are stored with. */
export interface GivenAccess {
  /**
   * When the person gave them (ISO 8601): the same values, given once more and taken, are not those that were
   * refused before, in any process. Missing in accesses that an earlier version stored.
   */
  givenAt?: string;
}

/**
 * What a service refused: credentials, which are not sent again within the hour, and too many calls, after
 * which none is made until the moment that it named. In memory, by their keys. `credentials` name the moment
 * at which they were given too.
 */
export function createRefusals(clock: Clock) {
  const refused = new Map<string, { error: BankSourceError; from: number; until: number }>();
  const knownOf = (credentials: string): BankSourceError | null => {
    const known = refused.get(credentialsKey(credentials));
    const now = clock.now().getTime();
    if (!known || now < known.from || now >= known.until) return null;
    return known.error.kind === 'limited' ? stillLimited(known.until - now) : known.error;
  };
  return {
    /** Runs `ask`, or throws the refusal that it ended in before. */
    async unless<Answer>(credentials: string, ask: () => Promise<Answer>): Promise<Answer> {
      const known = knownOf(credentials);
      if (known) throw known;
      try {
        return await ask();
      } catch (error) {
        const spanMs = error instanceof BankSourceError ? rememberedMs(error) : 0;
        if (error instanceof BankSourceError && spanMs > 0) {
          const from = clock.now().getTime();
          refused.set(credentialsKey(credentials), { error, from, until: from + spanMs });
          dropOldest(refused, maxRefusals);
        }
        throw error;
      }
    },
  };
}

function rememberedMs({ kind, retryAfterSeconds = usualLimitSeconds }: BankSourceError): number {
  if (kind === 'credentials') return longestMs;
  return kind === 'limited' ? Math.min(retryAfterSeconds * 1000, longestMs) : 0;
}

function stillLimited(leftMs: number): BankSourceError {
  return new BankSourceError('limited', 'The service asked to be called later', {
    retryAfterSeconds: Math.ceil(leftMs / 1000),
  });
}

/** What credentials are remembered by, so that memory does not hold them in clear. */
export function credentialsKey(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}
