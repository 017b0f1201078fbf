import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { atMost } from '../at-most.ts';

export interface JobWorker {
  /** Fetches at once. */
  wake(): void;
  /** Fetches no more, waits for running jobs for this long and returns the rest to the queue. */
  stop(patienceMs: number): Promise<void>;
}

interface JobWorkerOptions<Data> {
  queue: string;
  handler: (data: Data) => Promise<void>;
  /** How many jobs of a group run at once in this process. */
  concurrency: number;
  onError: (error: Error) => void;
}

const checkEveryMs = 2_000;

/**
 * Fetches jobs one by one and settles each when it has ended, so that one that takes long delays no
 * other. While a group has as many jobs running as it may, jobs of the others are fetched. Jobs without a
 * group share the places of one, and cannot be left out: while these are all taken, none is fetched.
 */
export function startJobWorker<Data extends object>(
  boss: PgBoss,
  { queue, handler, concurrency, onError }: JobWorkerOptions<Data>,
): JobWorker {
  const running = new Map<Job<Data>, Promise<void>>();
  let isStopping = false;
  let pause = new AbortController();
  const wake = () => pause.abort();

  const fetchNext = async (): Promise<Job<Data> | undefined> => {
    const full = fullGroups([...running.keys()], concurrency);
    if (full.includes(null)) return undefined;
    const ignoreGroups = full.filter((group) => group !== null);
    const [job] = await boss.fetch<Data>(queue, { batchSize: 1, ignoreGroups });
    return job;
  };
  const settle = async (job: Job<Data>): Promise<void> => {
    try {
      const failure = await failureOf(handler(job.data), job.expireInSeconds);
      if (failure) await boss.fail(queue, job, { message: failure.message });
      else await boss.complete(queue, job);
    } catch (error) {
      // The job is fetched again once its time is over.
      onError(asError(error));
    } finally {
      running.delete(job);
      wake();
    }
  };
  const fetchAll = async (): Promise<void> => {
    while (!isStopping) {
      pause = new AbortController();
      try {
        const job = await fetchNext();
        if (job) {
          running.set(job, settle(job));
          continue;
        }
      } catch (error) {
        onError(asError(error));
      }
      await sleep(checkEveryMs, null, { signal: pause.signal }).catch(() => {});
    }
  };
  const fetching = fetchAll();
  return {
    wake,
    async stop(patienceMs) {
      isStopping = true;
      wake();
      await fetching;
      await atMost(patienceMs, Promise.all(running.values()), null);
      const unfinished = [...running.keys()];
      if (unfinished.length === 0) return;
      await boss.fail(queue, unfinished, { message: 'The process stopped.' }).catch(onError);
    },
  };
}

function fullGroups(jobs: Job<object>[], concurrency: number): (string | null)[] {
  const taken = new Map<string | null, number>();
  for (const { groupId = null } of jobs) taken.set(groupId, (taken.get(groupId) ?? 0) + 1);
  return [...taken].filter(([, count]) => count >= concurrency).map(([group]) => group);
}

/** Null when the work succeeded. Work that takes longer has lost its job to another worker. */
async function failureOf(work: Promise<void>, limitSeconds: number): Promise<Error | null> {
  try {
    const ended = work.then(() => true);
    if (await atMost(limitSeconds * 1000, ended, false)) return null;
    return new Error(`The job took longer than ${limitSeconds} s`);
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
