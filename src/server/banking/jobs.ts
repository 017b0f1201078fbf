import { defineJob } from '../platform/queue/job-kind.ts';

export interface BankRefreshJob {
  userId: string;
  /** Every source of the user when left out, as jobs of an earlier version do. */
  source?: string;
  /** Milliseconds since 1970, UTC: a reading begun later has done it already. */
  wantedAt: number;
}

export const bankRefreshJobs = defineJob<BankRefreshJob>('bank-refresh', {
  expireInSeconds: 120,
  retryLimit: 4,
  retryDelay: 60,
  retryBackoff: true,
  deleteAfterSeconds: 600,
});
