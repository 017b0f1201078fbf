import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { defineJob, type JobKind } from '../../src/server/platform/queue/job-kind.ts';
import { openQueue, type Queue } from '../../src/server/platform/queue/queue.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

const settings = { expireInSeconds: 60, deleteAfterSeconds: 60 };
const mails = defineJob<{ n: number }>('mails', settings);
const added = defineJob<{ n: number }>('added-by-a-later-version', settings);

let database: OpenDatabase;
beforeAll(async () => {
  database = await openPreparedDatabase();
});
afterAll(() => database.close());

const open = (...kinds: JobKind<{ n: number }>[]) =>
  openQueue(database, kinds, { onError: () => {}, supervise: false });

const insert = (queue: Queue, kind: JobKind<{ n: number }>) =>
  database.sql
    .transaction()
    .execute((transaction) => queue.insert(transaction, kind, [{ data: { n: 1 } }]));

test('a version that starts beside a later one leaves its queues and jobs as they are', async () => {
  const later = await open(mails, added);
  await insert(later, added);
  const earlier = await open(mails);
  await insert(later, added);
  const { rows } = await sql`select from pgboss.job where name = ${added.name}`.execute(
    database.sql,
  );
  expect(rows).toHaveLength(2);
  await Promise.all([earlier.close(), later.close()]);
});

test('jobs for a queue that another process has deleted undo their transaction', async () => {
  const queue = await open(mails);
  await insert(queue, mails);
  await sql`select pgboss.delete_queue(${mails.name})`.execute(database.sql);
  await expect(insert(queue, mails)).rejects.toThrow('The queue mails took no job.');
  await queue.close();
});
