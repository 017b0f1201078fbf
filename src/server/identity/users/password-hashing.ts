import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';

/** OWASP's parameters for argon2id: 19 MiB (in KiB), two passes, one lane. */
const owaspCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** With `null` (no such user) it takes as long, and returns false. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/**
 * A hash takes 19 MiB, so only a few run at once and the others wait. When too many wait, further
 * ones are rejected with 429.
 */
export function createPasswords({ running = 2, waiting = 200, cost = owaspCost } = {}): Passwords {
  const limit = pLimit(running);
  const unmatchedHash = unmatchedHashOf(cost);
  const queue = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount < waiting) return await limit(work);
    throw new ApiError(httpErrors.Too_Many_Requests, { retryAfter: 5 });
  };
  return {
    hash: (password) => queue(() => hash(canonical(password), cost)),
    async verify(storedHash, password) {
      const matches = await queue(() => verify(storedHash ?? unmatchedHash, canonical(password)));
      return matches && storedHash !== null;
    },
  };
}

/** A hash that no password has: checking one against it takes as long as against any other. */
function unmatchedHashOf({ memoryCost, timeCost, parallelism }: typeof owaspCost): string {
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$zpi5h2ZHrjLx25+7Rj+pXA$Umoejy+tAh2JhJ+XPy5ya/J68Hk+macSuJ9PpevjJ7c`;
}

/** The same text for every way to compose its accents (NIST SP 800-63B §3.1.1.2). */
function canonical(password: string): string {
  return password.normalize('NFKC');
}
