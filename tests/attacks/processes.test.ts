import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityErrors } from '../../src/server/identity/errors.ts';
import { recordSuccess, resetThrottling } from '../../src/server/identity/throttling/counters.ts';
import {
  type Action,
  accountHash,
  limitsOf,
  type ThrottlingKey,
} from '../../src/server/identity/throttling/limits.ts';
import { throttled } from '../../src/server/identity/throttling/throttling.ts';
import {
  type Configuration,
  defaultLimits,
} from '../../src/server/platform/configuration/configuration.ts';
import { migrate } from '../../src/server/platform/database/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/platform/database/open.ts';
import { ApiError } from '../../src/server/platform/http/api-error.ts';
import { manualClock } from '../support/clock.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { untilWaiting } from '../support/waiting.ts';

let server: PostgresServer;
let processes: OpenDatabase[];
beforeAll(async () => {
  server = await startPostgres();
  const database = { engine: 'postgres', url: await server.createPreparedDatabase() } as const;
  // Each with connections of its own, as two processes have.
  processes = await Promise.all([0, 1].map(() => openDatabase({ database }, () => {})));
  for (const one of processes) await migrate(one);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()));
  await server.close();
});

const clock = manualClock();
const configuration = { limits: defaultLimits } as Configuration;
const log = pino({ level: 'silent' });

/** One try in one of the processes. */
function tryOnce<T>(
  index: number,
  action: Action,
  key: ThrottlingKey,
  work: () => Promise<T>,
): Promise<T> {
  const database = processes[index % processes.length] as OpenDatabase;
  return throttled({ database, clock, configuration, log }, action, key, work);
}

test('a burst over two processes gets as many tries as one', async () => {
  let guesses = 0;
  const guess = () => {
    guesses += 1;
    return Promise.reject(new ApiError(identityErrors.Wrong_Credentials));
  };
  const key = { mailbox: 'ana@exemple.fr', ip: '203.0.113.7' };
  const tries = Array.from({ length: 60 }, (_, index) => tryOnce(index, 'sign-in', key, guess));
  const ends = await Promise.allSettled(tries);
  const codes = ends.map((end) => end.status === 'rejected' && (end.reason as ApiError).code);
  expect(guesses).toBe(5);
  expect(codes.filter((code) => code === 'Too_Many_Requests')).toHaveLength(55);
});

test('a new password and a sign-in that crosses it wait, and never for each other', async () => {
  const key = { mailbox: 'basile@exemple.fr', ip: '203.0.113.8' };
  const limits = limitsOf(defaultLimits, 'sign-in', key).filter(({ account }) => account !== null);
  const [first, last] = limits.map(({ counter }) => counter).sort();
  const account = accountHash(key.mailbox);
  const moments = { counted_at: clock.now(), expires_at: clock.now() };
  const [one, { sql: there }] = processes as [OpenDatabase, OpenDatabase];
  const { sql: here } = one;
  const between = `${first}-`;
  // As the table may hold them, after years.
  for (const counter of [`${last}`, between, `${first}`]) {
    await here
      .insertInto('attempts')
      .values({ counter, account, ...moments })
      .execute();
  }
  const ends = await here.transaction().execute(async (transaction) => {
    const held = transaction.selectFrom('attempts').select('counter').forUpdate();
    await held.where('counter', '=', between).execute();
    const forgotten = resetThrottling(there, key.mailbox);
    await untilWaiting(one, 1);
    const succeeded = recordSuccess({ database: one }, limits, clock.now());
    await untilWaiting(one, 2);
    return [forgotten, succeeded];
  });
  await Promise.all(ends);
  expect(
    await here.selectFrom('attempts').selectAll().where('account', '=', account).execute(),
  ).toEqual([]);
});

test('many accounts behind one address come in side by side, and nobody waits for ever', async () => {
  const tries = Array.from({ length: 90 }, (_, index) =>
    tryOnce(index, 'sign-in', { mailbox: `${index % 30}`, ip: '192.0.2.1' }, async () => 'in'),
  );
  expect(new Set(await Promise.all(tries))).toEqual(new Set(['in']));
});
