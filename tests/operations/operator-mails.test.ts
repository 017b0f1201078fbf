import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHeartbeat } from '../../src/server/notifications/deliveries/heartbeat.ts';
import { mailOperators, sendOperatorMail } from '../../src/server/operations/operator-mails.ts';
import { createHttpClient } from '../../src/server/platform/http-client/http-client.ts';
import { eventually, type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import {
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
} from '../notifications/deliveries/people.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

let fixture: Fixture;
let pings: string[];
let url: string;
let stopWatcher: () => void;

beforeAll(async () => {
  pings = [];
  const watcher = createServer((request, response) => {
    pings.push(`${request.method} ${request.url}`);
    response.end('OK');
  });
  await new Promise<void>((done) => watcher.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(watcher.address() as AddressInfo).port}/ping`;
  stopWatcher = () => watcher.close().closeAllConnections();
  fixture = await openFixture(await openPreparedDatabase());
});
afterAll(async () => {
  await fixture.close();
  stopWatcher();
});

describe('operators', () => {
  it('are written to once per cause and day about a fault that only they can mend', async () => {
    fixture.services.configuration.operatorEmails = ['ops@exemple.fr', 'duty@exemple.fr'];
    const person = await addPerson(fixture);
    const first = await addMessenger(fixture, person);
    const second = await addMessenger(fixture, person, { channel_id: bonnard.treasury });
    const worker = await fixture.startWorker();
    const failOn = async (moment: string, code: string) => {
      fixture.slack.control.addFault({ kind: 'error', code, times: 2 });
      fixture.clock.set(moment);
      for (const { id } of [first, second]) {
        await eventually(
          () => deliveriesOf(fixture, id),
          (rows) =>
            rows.some((row) => row.finished_at?.toISOString().startsWith(moment.slice(0, 10))),
        );
      }
    };
    await failOn('2026-01-12T08:00:00Z', 'invalid_arguments');
    await eventually(
      () => fixture.mails,
      ({ length }) => length >= 2,
    );
    expect(fixture.mails.map(({ to }) => to).sort()).toEqual(['duty@exemple.fr', 'ops@exemple.fr']);
    const known = (await deliveriesOf(fixture, first.id)).concat(
      await deliveriesOf(fixture, second.id),
    );
    for (const { subject, body } of fixture.mails) {
      expect(subject).toContain('invalid_arguments');
      expect(known.some(({ id }) => body.includes(id))).toBe(true);
      expect(body).not.toContain('Bonjour à tous');
    }
    await failOn('2026-01-13T08:00:00Z', 'invalid_arguments');
    await eventually(
      () => fixture.mails,
      ({ length }) => length >= 4,
    );
    await failOn('2026-01-14T08:00:00Z', 'fatal_error_unheard_of');
    await eventually(
      () => fixture.mails,
      ({ length }) => length >= 6,
    );
    await worker.stop();
    expect(fixture.mails).toHaveLength(6);
    // Not their users' fault: nobody is paused.
    const { rows } = { rows: await deliveriesOf(fixture, first.id) };
    expect(rows.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed']);
  });

  it('are named neither by the job nor by the log when their mail is not taken', async () => {
    const { services } = fixture;
    services.configuration.operatorEmails = ['ops@exemple.fr'];
    const lines: string[] = [];
    const refusal = '550 <ops@exemple.fr>: no such user';
    const redacted = '550 <[…]>: no such user';
    const failing = {
      ...services,
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      mailer: { send: () => Promise.reject(new Error(refusal)) },
    };
    const mail = { cause: 'refused', subject: 'Sujet', body: 'Texte' };
    await services.database.sql
      .transaction()
      .execute((transaction) => mailOperators(services, transaction, [mail], fixture.clock.now()));
    const stored = () =>
      services.database.sql
        .selectFrom('operator_mails')
        .selectAll()
        .where('cause', '=', mail.cause)
        .executeTakeFirstOrThrow();
    await expect(sendOperatorMail(failing, await stored())).rejects.toThrow(redacted);
    expect(lines.join()).toContain(redacted);
    expect(lines.join()).not.toContain('ops@exemple.fr');
    expect(await stored()).toMatchObject({ failure: refusal, sent_at: null });
  });
});

describe('the heartbeat', () => {
  const httpClient = createHttpClient({ log: pino({ level: 'silent' }) });
  const log = pino({ level: 'silent' });
  afterAll(() => httpClient.close());

  it('beats after a planning round that had work, and after no other', async () => {
    fixture.services.heartbeat = createHeartbeat({ url, httpClient, log });
    fixture.clock.set('2026-01-14T18:00:00Z');
    const worker = await fixture.startWorker();
    const person = await addPerson(fixture);
    await addMessenger(fixture, person, { hours: 20 });
    expect(pings).toEqual([]);
    fixture.clock.set('2026-01-14T19:00:00Z');
    await eventually(
      () => pings,
      ({ length }) => length > 0,
    );
    await worker.stop();
    expect(pings).toEqual(['GET /ping']);
  });

  it('returns at once and fails in silence, whatever the watcher does', async () => {
    const lost = createHeartbeat({ url: 'http://127.0.0.1:1/ping', httpClient, log });
    for (let beat = 0; beat < 1000; beat += 1) lost.beat();
    pings.length = 0;
    const heard = createHeartbeat({ url, httpClient, log });
    for (let beat = 0; beat < 1000; beat += 1) heard.beat();
    await eventually(
      () => pings,
      ({ length }) => length === 2,
    );
  });
});
