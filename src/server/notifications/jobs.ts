import { defineJob } from '../platform/queue/job-kind.ts';
import type { ChatKind } from '../providers/chats/port.ts';

/** Chat, team and channel are carried so that a worker can pace a channel before it reads any row. */
export interface PackedDelivery {
  userId: string;
  deliveryId: string;
  chat: ChatKind;
  teamId: string;
  channelId: string;
  /** Milliseconds since 1970, UTC: what is due first goes first within its channel. */
  dueAt: number;
  /** Other notifications post into that channel too. */
  shared?: boolean;
}

export interface DeliveryJob {
  /** `chat` is missing in jobs that an earlier version left in the queue. */
  deliveries: (Omit<PackedDelivery, 'chat'> & Partial<Pick<PackedDelivery, 'chat'>>)[];
}

/** Finished jobs are deleted soon: the deliveries table is the record. */
export const deliveryJobs = defineJob<DeliveryJob>('deliveries', {
  expireInSeconds: 45,
  retryLimit: 1000,
  deleteAfterSeconds: 600,
});
