import { defineJob } from '../platform/queue/job-kind.ts';

export interface BankTransactionsJob {
  userId: string;
  messengerId: string;
  /** The sending that tells them, in milliseconds since 1970. */
  dueAt: number;
}

export const bankTransactionsJobs = defineJob<BankTransactionsJob>('operations-reading', {
  expireInSeconds: 120,
  retryLimit: 3,
  retryDelay: 60,
  retryBackoff: true,
  deleteAfterSeconds: 600,
});
