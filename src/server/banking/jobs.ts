import { defineJob } from '../platform/queue/job-kind.ts';

/** A user of a source whose account was deleted while they were being registered there. */
export interface LateUserJob {
  userId: string;
  source: string;
  /** Null where the answer to the registration was lost. */
  providerUserId: string | null;
  /** Milliseconds since 1970, UTC. */
  since: number;
}

/** For about a week: then only the operator can have them removed. */
export const lateUserJobs = defineJob<LateUserJob>('bank-late-users', {
  expireInSeconds: 120,
  retryLimit: 180,
  retryDelay: 10,
  retryDelayMax: 3600,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
});

export interface BankRefreshJob {
  userId: string;
  /** Missing in jobs of an earlier version: these read every source of the user. */
  source?: string;
  /**
   * Milliseconds since 1970, UTC. The job does nothing when a reading began later. Missing in jobs of
   * an earlier version, which always read.
   */
  scheduledAt?: number;
}

export const bankRefreshJobs = defineJob<BankRefreshJob>('bank-refresh', {
  expireInSeconds: 120,
  retryLimit: 4,
  retryDelay: 60,
  retryBackoff: true,
  deleteAfterSeconds: 600,
});
