import { fromPglite, PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { startJobWorker } from '../../src/server/platform/queue/job-worker.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

let database: OpenDatabase;
let boss: PgBoss;
const errors: Error[] = [];
beforeAll(async () => {
  database = await openPreparedDatabase();
  if (database.engine !== 'embedded') throw new Error('not the embedded engine');
  const db = fromPglite(database.embedded);
  boss = new PgBoss({ db, backend: 'pglite', supervise: false, schedule: false });
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ close: false });
  await database.close();
  expect(errors).toEqual([]);
});

test('a job that has not ended when its worker stops is taken by the next', async () => {
  await boss.createQueue('stopped', { retryLimit: 1 });
  await boss.insert('stopped', [{ data: {}, group: { id: 'a' } }]);
  const { begun, worker } = startOn('stopped', () => new Promise(() => {}));
  await expect.poll(() => begun.length).toBe(1);
  await worker.stop(0);
  expect(await boss.fetch('stopped')).toMatchObject([{ retryCount: 1 }]);
});

test('a job that never ends gives its place back when its time is over', async () => {
  await boss.createQueue('endless', { expireInSeconds: 1, retryLimit: 0 });
  await boss.insert('endless', [
    { data: { name: 'first' }, group: { id: 'a' }, priority: 1 },
    { data: { name: 'second' }, group: { id: 'a' } },
  ]);
  const { begun, worker } = startOn('endless', ({ name }) =>
    name === 'first' ? new Promise(() => {}) : Promise.resolve(),
  );
  await expect.poll(() => begun, { timeout: 5_000 }).toEqual(['first', 'second']);
  await worker.stop(1_000);
  const failed = await boss.findJobs('endless', { data: { name: 'first' } });
  expect(failed).toMatchObject([
    { state: 'failed', output: { message: 'The job took longer than 1 s' } },
  ]);
});

test('jobs without a group share the places of one', async () => {
  await boss.createQueue('ungrouped');
  await boss.insert('ungrouped', [{ data: {} }, { data: {} }]);
  const first = Promise.withResolvers<void>();
  const { begun, worker } = startOn('ungrouped', () => first.promise);
  await expect.poll(() => begun.length).toBe(1);
  // The embedded database answers in order: what the worker had asked for would be there by then.
  for (let count = 0; count < 3; count += 1) await boss.getQueue('ungrouped');
  expect(begun).toHaveLength(1);
  first.resolve();
  await expect.poll(() => begun.length).toBe(2);
  await worker.stop(1_000);
});

/** One place for each group. */
function startOn(queue: string, act: (data: { name?: string }) => Promise<void>) {
  const begun: unknown[] = [];
  const handler = async (data: { name?: string }) => {
    begun.push(data.name);
    await act(data);
  };
  const onError = (error: Error) => void errors.push(error);
  return { begun, worker: startJobWorker(boss, { queue, handler, concurrency: 1, onError }) };
}
