/** Every kind of background job and what it carries. A new kind is a line here and one in `queues`. */
export interface Jobs {
  deliveries: { deliveries: PackedDelivery[] };
  mails: MailJob;
  'operator-mails': OperatorMailJob;
  'bank-refresh': BankRefreshJob;
  'forgotten-passwords': ForgottenPasswordJob;
  deletions: DeletionJob;
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

export interface OperatorMailJob {
  cause: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  recipient: string;
}

export interface ForgottenPasswordJob {
  /** As it was typed: whether anybody has it is found out by the worker. */
  email: string;
}

export interface DeletionJob {
  deletionId: string;
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
  'operator-mails': {
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
  'forgotten-passwords': { expireInSeconds: 60, retryLimit: 5, deleteAfterSeconds: 60 },
  // What is left after these tries is put into the queue again by the upkeep.
  deletions: {
    expireInSeconds: 600,
    retryLimit: 12,
    retryDelay: 10,
    retryDelayMax: 3600,
    retryBackoff: true,
    deleteAfterSeconds: 3600,
  },
  upkeep: { expireInSeconds: 900, retryLimit: 1, deleteAfterSeconds: 86_400 },
} as const satisfies Record<JobName, object>;
