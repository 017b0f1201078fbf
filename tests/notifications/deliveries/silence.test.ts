import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import type {
  DeliveryTicket,
  Settlement,
} from '../../../src/server/notifications/deliveries/attempt.ts';
import { begin } from '../../../src/server/notifications/deliveries/beginning.ts';
import { ticketsOf } from '../../../src/server/notifications/deliveries/packs.ts';
import { planDue } from '../../../src/server/notifications/deliveries/planning.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { settle } from '../../../src/server/notifications/deliveries/settling.ts';
import { deliveryJobs } from '../../../src/server/notifications/jobs.ts';
import { promptLimits } from '../../../src/server/platform/database/connections.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';
import { type NetworkPath, openPath } from '../../support/network-path.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { addMessenger, addPerson, deliveriesOf } from './people.ts';
import { eventually, openWorld, type World } from './world.ts';

const limits = { statementMs: 3000, answerMs: 4000, idleMs: 3000 };

it('a silence is got over well before another worker takes up the job', () => {
  const { answerMs, idleMs } = promptLimits;
  expect(2 * answerMs + idleMs).toBeLessThan(1000 * deliveryJobs.settings.expireInSeconds);
});

describe('a worker whose way to the database falls silent', () => {
  let server: PostgresServer;
  let path: NetworkPath;
  let world: World;
  let worker: Worker;

  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    path = await openPath(await server.createPreparedDatabase());
    const database = { engine: 'postgres', url: path.url } as const;
    world = await openWorld(await openDatabase({ database }, () => {}, limits));
    worker = await world.startWorker({ answerWithinMs: 25_000 });
  });
  afterEach(async () => {
    await worker.stop();
    await world.close();
    await path.close();
  });
  afterAll(() => server.close());

  /** A message is on its way to the chat, which takes a while to answer. */
  async function beginPost(): Promise<string> {
    const { id } = await addMessenger(world, await addPerson(world));
    world.slack.control.setLatency(1500);
    world.clock.advance({ hours: 1 });
    await eventually(
      () => deliveriesOf(world, id),
      ([first]) => first?.sending_at instanceof Date,
    );
    return id;
  }

  const posts = () => world.slack.control.log();

  async function jobs(): Promise<{ state: string }[]> {
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where name = 'deliveries'`.execute(world.services.database.sql);
    return rows;
  }

  it('writes its answers over another connection, and posts nothing twice', async () => {
    const id = await beginPost();
    path.cut();
    await eventually(posts, ({ length }) => length === 1);
    path.mend();
    const [delivery] = await eventually(
      () => deliveriesOf(world, id).catch(() => []),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(delivery).toMatchObject({ attempts: 1, resends: 0 });
    expect(posts()).toHaveLength(1);
  });

  it('may write them again when it never heard that they stand', async () => {
    const id = await beginPost();
    path.loseAnswerTo('commit', 'set outcome = given.outcome');
    await expect.poll(() => path.leavings, { timeout: 15_000 }).toContain('reset');
    await eventually(jobs, (all) => all.every(({ state }) => state === 'completed'));
    expect(await deliveriesOf(world, id)).toMatchObject([
      { outcome: 'delivered', attempts: 1, resends: 0 },
    ]);
    expect(await jobs()).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });

  it('posts a message once that it has put into the queue twice', async () => {
    await worker.stop();
    const { id } = await addMessenger(world, await addPerson(world));
    world.clock.advance({ hours: 1 });
    await planDue(world.services, world.clock.now(), deliverySettings);
    const tickets = (await world.services.queue.fetch(deliveryJobs, 1)).flatMap(ticketsOf);
    await begin(world.services, tickets, world.clock.now(), deliverySettings);
    const tryAgain = () => settle(world.services, tickets.map(refused), world.clock.now());
    path.loseAnswerTo('commit');
    await expect(tryAgain()).rejects.toThrow('timeout');
    await tryAgain();
    expect((await jobs()).map(({ state }) => state).sort()).toEqual([
      ...['completed', 'created', 'created'],
    ]);
    worker = await world.startWorker({ answerWithinMs: 25_000 });
    await eventually(jobs, (all) => all.every(({ state }) => state === 'completed'));
    expect(await deliveriesOf(world, id)).toMatchObject([{ outcome: 'delivered', attempts: 2 }]);
    expect(posts()).toHaveLength(1);
  });
});

/** The chat did not take it, and may do so in a moment. */
function refused(ticket: DeliveryTicket): Settlement {
  const nothing = { sentAt: null, finishedAt: null, receipt: null, nothingPosted: true };
  const change = { number: 1, kind: 'daily', outcome: 'pending', reason: 'http_503' } as const;
  return { ticket, change: { ...change, ...nothing }, againAfterSeconds: 0.05 };
}
