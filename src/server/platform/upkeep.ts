import type { Platform } from './platform.ts';

/**
 * A step of the hourly upkeep. Each module declares those for its own tables; operations runs all of
 * them. The database of `Deps` has the long limits of `patientLimits`.
 */
export interface UpkeepStep<Deps = Pick<Platform, 'database' | 'clock'>> {
  /** The name in the log. */
  name: string;
  run(deps: Deps): Promise<unknown>;
}

const historyDays = 400;

/** Messages, mails and receipts from before this moment are removed. */
export function historyStart({ clock }: Pick<Platform, 'clock'>): Date {
  return new Date(clock.now().getTime() - historyDays * 86_400_000);
}
