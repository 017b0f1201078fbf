import { bankRefreshJobs, lateUserJobs } from '../banking/jobs.ts';
import { forgottenPasswordJobs, mailJobs } from '../identity/jobs.ts';
import { bankTransactionsJobs } from '../notifications/jobs.ts';
import { defineJob } from '../platform/queue/job-kind.ts';
import { deletionJobs } from '../privacy/jobs.ts';

export interface OperatorMailJob {
  cause: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  recipient: string;
}

export const operatorMailJobs = defineJob<OperatorMailJob>('operator-mails', {
  // Longer than a mail server is waited for.
  expireInSeconds: 180,
  retryLimit: 10,
  retryDelay: 30,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
});

export const upkeepJobs = defineJob<Record<string, never>>('upkeep', {
  expireInSeconds: 900,
  retryLimit: 1,
  deleteAfterSeconds: 86_400,
});

/** Every kind of job of the program. The queue is opened with them. */
export const jobKinds = [
  mailJobs,
  forgottenPasswordJobs,
  bankRefreshJobs,
  lateUserJobs,
  bankTransactionsJobs,
  deletionJobs,
  operatorMailJobs,
  upkeepJobs,
];
