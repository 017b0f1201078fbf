/** Every kind of background job and what it carries. A new kind is a line here and one in `queues`. */
export interface Jobs {
  deliveries: { deliveries: PackedDelivery[] };
  mails: MailJob;
  'bank-refresh': BankRefreshJob;
  upkeep: Record<string, never>;
}

export type JobName = keyof Jobs;

/** Team and channel are carried so that a worker can pace a channel before it reads any row. */
export interface PackedDelivery {
  userId: string;
  deliveryId: string;
  teamId: string;
  channelId: string;
  /** Milliseconds since 1970, UTC: what is due first goes first within its channel. */
  dueAt: number;
  /** Other notifications post into that channel too. */
  shared?: boolean;
}

export interface MailJob {
  userId: string;
  mailId: string;
}

export interface BankRefreshJob {
  userId: string;
  /** Milliseconds since 1970, UTC: a reading begun later has done it already. */
  wantedAt: number;
}

/**
 * How each queue is kept. A job is taken up again `expireInSeconds` after its worker fell silent;
 * finished jobs are only dead weight, because the deliveries table is the record.
 */
export const queues = {
  deliveries: { expireInSeconds: 45, retryLimit: 1000, deleteAfterSeconds: 600 },
  mails: {
    expireInSeconds: 60,
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    deleteAfterSeconds: 3600,
  },
  'bank-refresh': {
    expireInSeconds: 120,
    retryLimit: 4,
    retryDelay: 60,
    retryBackoff: true,
    deleteAfterSeconds: 600,
  },
  upkeep: { expireInSeconds: 900, retryLimit: 1, deleteAfterSeconds: 86_400 },
} as const satisfies Record<JobName, object>;
