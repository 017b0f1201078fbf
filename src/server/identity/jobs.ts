import { defineJob } from '../platform/queue/job-kind.ts';

export interface MailJob {
  userId: string;
  mailId: string;
}

/** Mails to users, from the outbox. */
export const mailJobs = defineJob<MailJob>('mails', {
  expireInSeconds: 60,
  retryLimit: 10,
  retryDelay: 30,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
});

export interface ForgottenPasswordJob {
  /** As it was typed: the worker finds out whether it belongs to an account. */
  email: string;
}

export const forgottenPasswordJobs = defineJob<ForgottenPasswordJob>('forgotten-passwords', {
  expireInSeconds: 60,
  retryLimit: 5,
  deleteAfterSeconds: 60,
});
