import { Worker } from 'node:worker_threads';

/**
 * Ends this process when its event loop stands still, so that the service manager starts it again:
 * such a process answers nothing, not even SIGTERM. It watches from a thread of its own.
 */
export interface Watchdog {
  /** Does not watch while `work` runs: some work of the database rightly blocks for long. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Without its thread, which `onError` is told of, the process goes on unwatched. */
export function startWatchdog(
  onError: (error: unknown) => void,
  { patienceMs } = { patienceMs: 30_000 },
): Watchdog {
  const [beats, pauses] = [0, 1];
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    workerData: { shared, patienceMs },
    // Options of the process may not suit a thread.
    execArgv: [],
    // The thread sleeps nearly all the time: it needs next to nothing.
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  });
  thread.on('error', onError).unref();
  const beat = setInterval(() => void Atomics.add(shared, beats, 1), patienceMs / 60).unref();
  return {
    async pausedFor(work) {
      Atomics.add(shared, pauses, 1);
      try {
        return await work();
      } finally {
        Atomics.sub(shared, pauses, 1);
      }
    },
    async stop() {
      clearInterval(beat);
      await thread.terminate();
    },
  };
}

/** For programs that are not started again when they end. */
export const noWatchdog: Watchdog = { pausedFor: (work) => work(), stop: async () => {} };
