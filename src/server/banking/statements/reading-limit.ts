import pLimit from 'p-limit';
import { ApiError } from '../../platform/http/api-error.ts';
import { bankingErrors } from '../errors.ts';

export type ReadingLimit = <Result>(read: () => Promise<Result>) => Promise<Result>;

/**
 * A file is read in a thread that may take 128 MiB, so only a few of all people's are read at once, and the
 * others wait a moment. Throws Statement_Busy when too many wait, or one for too long.
 */
export function createReadingLimit({
  running = 2,
  waiting = 8,
  waitMs = 5_000,
} = {}): ReadingLimit {
  const limit = pLimit(running);
  return async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (limit.activeCount + limit.pendingCount >= running + waiting) {
      throw new ApiError(bankingErrors.Statement_Busy);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new ApiError(bankingErrors.Statement_Busy));
    }, waitMs);
    void limit(async () => {
      if (isLate) return;
      clearTimeout(timer);
      await read().then(resolve, reject);
    });
    return await promise;
  };
}
