import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from '../support/application.ts';

const everyMs = 5;

/**
 * Does `work` while /healthz is asked again and again. Gives the longest, in milliseconds, that an answer
 * of it took or would have taken: only while this thread was busy, because what else the machine does
 * is no fault.
 */
export async function delayedBy<T>(
  { url }: Pick<Application, 'url'>,
  work: () => Promise<T>,
): Promise<{ result: T; delayMs: number }> {
  let isDone = false;
  let delayMs = 0;
  const ask = async (): Promise<void> => {
    while (!isDone) {
      const [start, before] = [performance.now(), process.threadCpuUsage()];
      await sleep(everyMs);
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      const { user, system } = process.threadCpuUsage(before);
      const late = performance.now() - start - everyMs;
      delayMs = Math.max(delayMs, Math.min(late, (user + system) / 1000));
    }
  };
  const asking = ask();
  const result = await work().finally(() => {
    isDone = true;
  });
  await asking;
  return { result, delayMs };
}
