import { createHash } from 'node:crypto';
import { hourMs } from '../../../shared/calendar/durations.ts';
import type { Clock } from '../../platform/clock.ts';
import { BankSourceError } from './port.ts';

export type Refusals = ReturnType<typeof createRefusals>;

/** A service may slow the whole installation down for refusals that are repeated within the hour. */
const refusedForMs = hourMs;
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
 * The credentials that a service refused within the hour: these are not sent again. In memory, by their
 * keys. `credentials` name the moment at which they were given too.
 */
export function createRefusals(clock: Clock) {
  const refused = new Map<string, { error: BankSourceError; at: number }>();
  const knownOf = (credentials: string): BankSourceError | null => {
    const known = refused.get(credentialsKey(credentials));
    const age = known ? clock.now().getTime() - known.at : Number.POSITIVE_INFINITY;
    return known && age >= 0 && age < refusedForMs ? known.error : null;
  };
  return {
    /** Runs `ask`, or throws the refusal that it ended in before. */
    async unless<Answer>(credentials: string, ask: () => Promise<Answer>): Promise<Answer> {
      const known = knownOf(credentials);
      if (known) throw known;
      try {
        return await ask();
      } catch (error) {
        if (error instanceof BankSourceError && error.kind === 'credentials') {
          refused.set(credentialsKey(credentials), { error, at: clock.now().getTime() });
          const oldest = refused.size > maxRefusals ? refused.keys().next().value : undefined;
          if (oldest !== undefined) refused.delete(oldest);
        }
        throw error;
      }
    },
  };
}

/** What credentials are remembered by, so that memory does not hold them in clear. */
export function credentialsKey(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}
