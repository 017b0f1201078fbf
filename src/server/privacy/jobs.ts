import { defineJob } from '../platform/queue/job-kind.ts';

export interface DeletionJob {
  deletionId: string;
}

/** What is left after these tries is put into the queue again by the upkeep. */
export const deletionJobs = defineJob<DeletionJob>('deletions', {
  expireInSeconds: 600,
  retryLimit: 12,
  retryDelay: 10,
  retryDelayMax: 3600,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
});
