import { outboxJobSettings } from '../platform/mail/outbox.ts';
import { defineJob } from '../platform/queue/job-kind.ts';

/** Mails to users, from the outbox. */
export const mailJobs = defineJob<{ userId: string; mailId: string }>('mails', outboxJobSettings);

export interface ForgottenPasswordJob {
  /** As it was typed. The worker looks up whether an account has it. */
  email: string;
}

export const forgottenPasswordJobs = defineJob<ForgottenPasswordJob>('forgotten-passwords', {
  expireInSeconds: 60,
  retryLimit: 5,
  deleteAfterSeconds: 60,
});
