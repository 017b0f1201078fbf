import { defineJob } from '../platform/queue/job-kind.ts';

export interface BankRefreshJob {
  userId: string;
  /** Missing in jobs of an earlier version: these read every source of the user. */
  source?: string;
  /**
   * Milliseconds since 1970, UTC. The job does nothing when a reading began later. Missing in jobs of
   * an earlier version, which always read.
   */
  scheduledAt: number;
}

export const bankRefreshJobs = defineJob<BankRefreshJob>('bank-refresh', {
  expireInSeconds: 120,
  retryLimit: 4,
  retryDelay: 60,
  retryBackoff: true,
  deleteAfterSeconds: 600,
});
