import { EventEmitter } from 'node:events';
import type { Transaction } from 'kysely';
import { type Db, fromKysely, fromPglite, PgBoss } from 'pg-boss';
import { withStartupLock } from '../database/long-statements.ts';
import type { OpenDatabase } from '../database/open.ts';
import type { Schema } from '../database/schema.ts';
import type { JobKind } from './job-kind.ts';
import { type JobWorker, startJobWorker } from './job-worker.ts';

/**
 * Background jobs on pg-boss, typed by their kind. Methods with a transaction are part of it; do not
 * call the others inside one, because on the embedded engine they wait for its end.
 */
export interface Queue {
  insert<Data extends object>(
    transaction: Transaction<Schema>,
    kind: JobKind<Data>,
    jobs: NewJob<Data>[],
  ): Promise<void>;
  /**
   * Runs `handler` for each job, `concurrency` of each group at once (default 1), so that a slow group
   * delays no other; failures are retried as the kind of the job says.
   */
  work<Data extends object>(
    kind: JobKind<Data>,
    handler: (data: Data) => Promise<void>,
    concurrency?: number,
  ): void;
  /** Inserts one job at each moment of the cron expression (UTC), whatever the number of workers. */
  schedule<Data extends object>(kind: JobKind<Data>, cron: string): Promise<void>;
  /** Tells the workers of this process that jobs were committed, so that they fetch at once. */
  announce<Data extends object>(kind: JobKind<Data>): void;
  /** The sizes of all queues, as a worker counted them a few seconds ago. */
  depths(): Promise<QueueDepth[]>;
  /** Fetches no more for `work`, and waits for running handlers, at most ten seconds. */
  stopWork(): Promise<void>;
  /** Stops the work too, where it goes on. */
  close(): Promise<void>;
}

export interface QueueDepth {
  queue: string;
  waiting: number;
  /** Fetched by a worker. */
  active: number;
}

export interface NewJob<Data> {
  data: Data;
  /** By the clock of the database, which all workers share. */
  startAfterSeconds?: number;
  /** Within which `work` counts how many run at once; jobs without one are a group of their own. */
  group?: string;
  /** Until when it should be done: what is due in an earlier minute is taken first. */
  dueAt?: Date;
}

export interface QueueOptions {
  onError: (error: Error) => void;
  /** False in a process that only inserts jobs: maintenance and schedules are for the workers. */
  supervise: boolean;
  /** Interval between two searches for expired jobs. */
  superviseSeconds?: number;
}

/** Creates the queues of `kinds`. Jobs of any other kind cannot be inserted or fetched. */
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
  await withStartupLock(database, async () => {
    await boss.start();
    await prepareAll(boss, kinds);
  });
  return wrap(boss, kinds, options);
}

function engineOf(database: OpenDatabase): Db {
  if (database.engine === 'embedded') return fromPglite(database.embedded);
  return { executeSql: (text, values) => database.pool.query(text, values) };
}

/**
 * Creates the queues that are missing or have other settings, and deletes the retired ones; the rest need
 * no statement, and may be those of a later version that runs beside this one.
 */
async function prepareAll(boss: PgBoss, kinds: JobKind<object>[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const name of retired) {
    if (known.has(name)) await boss.deleteQueue(name);
  }
  for (const { name, settings } of kinds) {
    const existing = new Map<string, unknown>(Object.entries(known.get(name) ?? {}));
    const isUpToDate = Object.entries(settings).every(
      ([key, value]) => existing.get(key) === value,
    );
    if (!isUpToDate) await prepare(boss, name, settings);
  }
}

/** Of earlier versions. */
const retired = ['deliveries'];

/** The last read makes pg-boss cache the queue: it then needs no connection inside a transaction. */
async function prepare(boss: PgBoss, name: string, settings: object): Promise<void> {
  await boss.createQueue(name, settings);
  await boss.updateQueue(name, settings);
  await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' });
}

const patienceMs = 10_000;

function wrap(boss: PgBoss, kinds: JobKind<object>[], { onError }: QueueOptions): Queue {
  const announcements = new EventEmitter().setMaxListeners(0);
  const workers: JobWorker[] = [];
  const stopWork = async () => {
    announcements.removeAllListeners();
    await Promise.all(workers.splice(0).map((worker) => worker.stop(patienceMs)));
  };
  return {
    announce: ({ name }) => void announcements.emit(name),
    async insert(transaction, { name }, jobs) {
      if (jobs.length === 0) return;
      const rows = jobs.map(({ data, startAfterSeconds, group, dueAt }) => ({
        data,
        ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
        ...(group ? { group: { id: group } } : {}),
        ...(dueAt ? { priority: -Math.floor(dueAt.getTime() / 60_000) } : {}),
      }));
      const options = { db: fromKysely(transaction), returnId: true };
      const inserted = await boss.insert(name, rows, options);
      // Where there is no such queue, nothing is inserted and nothing said.
      if (inserted?.length !== rows.length) throw new Error(`The queue ${name} took no job.`);
    },
    work({ name: queue }, handler, concurrency = 1) {
      const worker = startJobWorker(boss, { queue, handler, concurrency, onError });
      workers.push(worker);
      announcements.on(queue, worker.wake);
    },
    schedule: ({ name }, cron) => boss.schedule(name, cron),
    depths: () => readDepths(boss, kinds),
    stopWork,
    async close() {
      await stopWork();
      await boss.stop({ graceful: true, timeout: patienceMs, close: false });
    },
  };
}

async function readDepths(boss: PgBoss, kinds: JobKind<object>[]): Promise<QueueDepth[]> {
  const found = await boss.getQueues(kinds.map(({ name }) => name));
  return found.map(({ name: queue, queuedCount: waiting, activeCount: active }) => ({
    queue,
    waiting,
    active,
  }));
}
