import type { Transaction } from 'kysely';
import { type Db, fromKysely, fromPglite, type JobResult, PgBoss } from 'pg-boss';
import { inTurn } from '../database/long-statements.ts';
import type { OpenDatabase } from '../database/open.ts';
import type { Schema } from '../database/schema.ts';
import type { JobKind } from './job-kind.ts';

/**
 * Background jobs on pg-boss, typed by their kind. What takes a transaction is atomic with it; never call
 * the rest inside one: on the embedded engine it would wait for itself.
 */
export interface Queue {
  insert<Data extends object>(
    transaction: Transaction<Schema>,
    kind: JobKind<Data>,
    jobs: NewJob<Data>[],
  ): Promise<void>;
  /** Marks the jobs as done, each only while this attempt still holds it. */
  complete<Data extends object>(
    transaction: Transaction<Schema>,
    kind: JobKind<Data>,
    attempts: JobAttempt[],
  ): Promise<void>;
  /** Takes up to `count` jobs, highest priority first, then oldest. */
  fetch<Data extends object>(kind: JobKind<Data>, count: number): Promise<FetchedJob<Data>[]>;
  /** Runs `handler` for each job, `together` at a time (1); a throw is retried as the queue says. */
  work<Data extends object>(
    kind: JobKind<Data>,
    handler: (data: Data) => Promise<void>,
    together?: number,
  ): Promise<void>;
  /** Puts one job into the queue at each moment of the cron expression (UTC), whatever the number of workers. */
  schedule<Data extends object>(kind: JobKind<Data>, cron: string): Promise<void>;
  /** Forgets every job of a queue, also those that are running. */
  clear<Data extends object>(kind: JobKind<Data>): Promise<void>;
  /** Says within this process that jobs were committed, so that nobody waits for the next look. */
  announce<Data extends object>(kind: JobKind<Data>): void;
  onAnnounced<Data extends object>(kind: JobKind<Data>, listener: () => void): () => void;
  /** As counted by a worker a few seconds ago, for every queue. */
  depths(): Promise<QueueDepth[]>;
  /** Stops its own work and waits for running handlers, at most ten seconds. */
  close(): Promise<void>;
}

export interface QueueDepth {
  queue: string;
  waiting: number;
  /** In the hands of a worker. */
  active: number;
}

export interface JobAttempt {
  id: string;
  retryCount: number;
}

export interface FetchedJob<Data> extends JobAttempt {
  data: Data;
}

export interface NewJob<Data> {
  data: Data;
  /** Measured by the database's clock, which all workers share. */
  startAfterSeconds?: number;
  priority?: number;
}

export interface QueueOptions {
  onError: (error: Error) => void;
  /** False in a process that only inserts: it leaves upkeep and schedules to the workers. */
  supervise: boolean;
  /** How often expired jobs are looked for. */
  superviseSeconds?: number;
  /** Instead of what the kinds say, for all of them. */
  expireInSeconds?: number;
}

/** Prepares a queue for each of `kinds`; no other kind can be put in or taken out. */
export async function openQueue(
  database: OpenDatabase,
  kinds: JobKind<object>[],
  options: QueueOptions,
): Promise<Queue> {
  const boss = new PgBoss({
    db: engineOf(database),
    backend: database.engine === 'embedded' ? 'pglite' : 'postgres',
    supervise: options.supervise,
    schedule: options.supervise,
    superviseIntervalSeconds: options.superviseSeconds ?? 10,
    monitorIntervalSeconds: options.superviseSeconds ?? 10,
  });
  boss.on('error', options.onError);
  await inTurn(database, async () => {
    await boss.start();
    await prepareAll(boss, kinds, options);
  });
  return wrap(boss, kinds);
}

function engineOf(database: OpenDatabase): Db {
  if (database.engine === 'embedded') return fromPglite(database.embedded);
  return { executeSql: (text, values) => database.pool.query(text, values) };
}

/** A queue that stands as it should was read when pg-boss started, and costs nothing more. */
async function prepareAll(
  boss: PgBoss,
  kinds: JobKind<object>[],
  options: QueueOptions,
): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, ...kind } of kinds) {
    const settings = {
      ...kind.settings,
      ...(options.expireInSeconds ? { expireInSeconds: options.expireInSeconds } : {}),
    };
    const standing = Object.entries(known.get(name) ?? {});
    const isRight = Object.entries(settings).every(([key, wanted]) =>
      standing.some(([kept, value]) => kept === key && value === wanted),
    );
    if (!isRight) await prepare(boss, name, settings);
  }
}

/** Ends with a read of the queue: pg-boss then has it cached, and needs no connection within a transaction. */
async function prepare(boss: PgBoss, name: string, settings: object): Promise<void> {
  await boss.createQueue(name, settings);
  await boss.updateQueue(name, settings);
  await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' });
}

/** Each job of a batch ends for itself; why it failed is kept with it. */
async function resultOf<Data>(
  { id, data }: { id: string; data: Data },
  handler: (data: Data) => Promise<void>,
): Promise<JobResult> {
  try {
    await handler(data);
    return { id, status: 'completed' };
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    return { id, status: 'failed', output: { message } };
  }
}

function wrap(boss: PgBoss, kinds: JobKind<object>[]): Queue {
  const { announce, onAnnounced } = createAnnouncements<string>();
  return {
    announce: ({ name }) => announce(name),
    onAnnounced: ({ name }, listener) => onAnnounced(name, listener),
    async insert(transaction, { name }, jobs) {
      if (jobs.length === 0) return;
      const rows = jobs.map(({ data, priority, startAfterSeconds }) => ({
        data,
        ...(priority ? { priority } : {}),
        ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
      }));
      await boss.insert(name, rows, { db: fromKysely(transaction) });
    },
    async complete(transaction, { name }, attempts) {
      if (attempts.length === 0) return;
      await boss.complete(name, attempts, null, { db: fromKysely(transaction) });
    },
    fetch: <Data extends object>({ name }: JobKind<Data>, count: number) =>
      boss.fetch<Data>(name, { batchSize: count }),
    async work<Data extends object>(
      { name }: JobKind<Data>,
      handler: (data: Data) => Promise<void>,
      together = 1,
    ) {
      const worker = await boss.work<Data>(
        name,
        { batchSize: together, burstWhenBatchFull: true, perJobResults: true },
        (jobs) => Promise.all(jobs.map((job) => resultOf(job, handler))),
      );
      onAnnounced(name, () => boss.notifyWorker(worker));
    },
    schedule: ({ name }, cron) => boss.schedule(name, cron),
    depths: () => readDepths(boss, kinds),
    clear: ({ name }) => boss.deleteAllJobs(name),
    close: () => boss.stop({ graceful: true, timeout: 10_000, close: false }),
  };
}

async function readDepths(boss: PgBoss, kinds: JobKind<object>[]): Promise<QueueDepth[]> {
  const found = await boss.getQueues(kinds.map(({ name }) => name));
  return found.map(({ name: queue, queuedCount: waiting, activeCount: active }) => ({
    ...{ queue, waiting, active },
  }));
}

/** A bell within one process: who waits for a kind of job hears at once that one was committed. */
export interface Announcements<N extends string> {
  announce(name: N): void;
  /** Returns what ends the listening. */
  onAnnounced(name: N, listener: () => void): () => void;
}

export function createAnnouncements<N extends string>(): Announcements<N> {
  const listeners = new Map<N, Set<() => void>>();
  return {
    announce(name) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
    onAnnounced(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => void ofName.delete(listener);
    },
  };
}
