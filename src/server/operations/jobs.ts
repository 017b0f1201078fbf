import { bankRefreshJobs, lateUserJobs } from '../banking/jobs.ts';
import { forgottenPasswordJobs, mailJobs } from '../identity/jobs.ts';
import { bankTransactionsJobs } from '../notifications/jobs.ts';
import { outboxJobSettings } from '../platform/mail/outbox.ts';
import { defineJob } from '../platform/queue/job-kind.ts';
import { deletionJobs } from '../privacy/jobs.ts';

export interface OperatorMailJob {
  cause: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  recipient: string;
}

export const operatorMailJobs = defineJob<OperatorMailJob>('operator-mails', outboxJobSettings);

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
