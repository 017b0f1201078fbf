import { defineJob } from '../platform/queue/job-kind.ts';

export interface BankRefreshJob {
  userId: string;
  /** Every source of the user when left out, as in jobs that an earlier version has left. */
  source?: string;
  /**
   * Milliseconds since 1970, UTC: a reading begun later has done it already. Jobs of an earlier version
   * have none, and are always done.
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
