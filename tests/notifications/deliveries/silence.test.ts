import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import type {
  AttemptOutcome,
  DeliveryClaim,
} from '../../../src/server/notifications/deliveries/attempt.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { requestTimeouts } from '../../../src/server/platform/database/connections.ts';
import { openDatabase } from '../../../src/server/platform/database/open.ts';
import { type NetworkPath, openPath } from '../../support/network-path.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, deliveriesOf } from './people.ts';

const limits = { statementMs: 3000, answerMs: 4000, idleMs: 3000 };

it('a connection without answers is given up before the lease of a delivery ends', () => {
  const { answerMs, idleMs } = requestTimeouts;
  expect(2 * answerMs + idleMs).toBeLessThan(deliverySettings.leaseMs);
});

describe('a worker whose connection to the database stops answering', () => {
  let server: PostgresServer;
  let path: NetworkPath;
  let fixture: Fixture;
  let worker: Worker;

  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    path = await openPath(await server.createPreparedDatabase());
    const database = { engine: 'postgres', url: path.url } as const;
    fixture = await openFixture(await openDatabase({ database }, () => {}, limits));
    worker = await fixture.startWorker();
  });
  afterEach(async () => {
    await worker.stop();
    await fixture.close();
    await path.close();
  });
  afterAll(() => server.close());

  /** A message is on its way to the chat, which takes a while to answer. */
  async function beginPost(): Promise<string> {
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.slack.control.setLatency(1500);
    fixture.clock.advance({ hours: 1 });
    await eventually(
      () => deliveriesOf(fixture, id).catch(() => []),
      ([first]) => first?.sending_at instanceof Date,
    );
    return id;
  }

  const posts = () => fixture.slack.control.log();

  it('writes its answers over another connection, and posts nothing twice', async () => {
    const id = await beginPost();
    path.cut();
    await eventually(posts, ({ length }) => length === 1);
    path.restore();
    const [delivery] = await eventually(
      () => deliveriesOf(fixture, id).catch(() => []),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(delivery).toMatchObject({ attempts: 1, resends: 0 });
    expect(posts()).toHaveLength(1);
  });

  it('may write outcomes again when the answer to the first writing was lost', async () => {
    // Before the post: its answer may come while this process stands still.
    path.loseAnswerTo('set outcome = coalesce(given.outcome');
    const id = await beginPost();
    await expect.poll(() => path.closings, { timeout: 15_000 }).toContain('rst');
    await worker.stop();
    expect(await deliveriesOf(fixture, id)).toMatchObject([
      { outcome: 'delivered', attempts: 1, resends: 0 },
    ]);
    expect(posts()).toHaveLength(1);
  });

  it('posts once a message that it returned twice', async () => {
    await worker.stop();
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.advance({ hours: 1 });
    const { deliveries } = await claimNextDue(fixture.services, 10, deliverySettings, trustedClock);
    const tryAgain = () =>
      recordOutcomes(fixture.services, deliveries.map(refused), fixture.clock.now());
    path.loseAnswerTo('set outcome = coalesce(given.outcome');
    await expect(tryAgain()).rejects.toThrow('timeout');
    await tryAgain();
    expect(await deliveriesOf(fixture, id)).toMatchObject([{ outcome: 'pending', attempts: 1 }]);
    worker = await fixture.startWorker();
    const ended = await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first?.outcome !== 'pending',
    );
    expect(ended).toMatchObject([{ outcome: 'delivered', attempts: 2 }]);
    expect(posts()).toHaveLength(1);
  });
});

/** The chat did not take it, and may do so in a moment. */
function refused(delivery: DeliveryClaim): AttemptOutcome {
  const nothing = { sentAt: null, finishedAt: null, receipt: null, isUnposted: true };
  const change = { outcome: 'pending', reason: 'http_503' } as const;
  return { delivery, change: { ...change, ...nothing }, againAfterSeconds: 0.05 };
}
