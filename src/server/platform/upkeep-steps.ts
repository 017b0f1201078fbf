import type { Platform } from './platform.ts';

/** By the name that the log gives them. */
export type Steps = Record<string, () => Promise<unknown>>;

/**
 * One after the other, each by itself: what fails keeps no other from being done, or it would every
 * time. Throws at the end when any did.
 */
export async function takeSteps({ log }: Pick<Platform, 'log'>, steps: Steps): Promise<void> {
  const failed: string[] = [];
  for (const [step, work] of Object.entries(steps)) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error, step }, 'a step of the upkeep failed');
      failed.push(step);
    }
  }
  if (failed.length > 0) throw new Error(`steps that failed: ${failed.join(', ')}`);
}
