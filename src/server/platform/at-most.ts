import { setTimeout as sleep } from 'node:timers/promises';

/** What the work gives, or `late` when it takes longer. It goes on then, and what it throws is ignored. */
export async function atMost<Result, const Late>(
  ms: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const patience = new AbortController();
  const limit = sleep(ms, late, { signal: patience.signal, ref: false }).catch(() => late);
  work.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    patience.abort();
  }
}
