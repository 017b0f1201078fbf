import { defineJob } from '../platform/queue/job-kind.ts';

export interface DeletionJob {
  deletionId: string;
}

/** After the last try, the hourly upkeep inserts a new job. */
export const deletionJobs = defineJob<DeletionJob>('deletions', {
  expireInSeconds: 600,
  retryLimit: 12,
  retryDelay: 10,
  retryDelayMax: 3600,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
});
