import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openListener } from '../../src/server/platform/http/listener.ts';
import { answerMetrics } from '../../src/server/platform/metrics/endpoint.ts';
import { eventually, type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addMessenger, addPerson } from '../notifications/deliveries/people.ts';
import { type Application, startApplication } from '../support/application.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

const token = 'a-token-for-the-watcher';
let app: Application;
let close: () => Promise<void>;
let port: number;

beforeAll(async () => {
  app = await startApplication({ configuration: { metricsToken: token } });
  const listener = await openListener({ host: '0.0.0.0', port: 0 }, app.services);
  listener.showMetrics((asked, answer) => answerMetrics(app.services, asked, answer));
  port = listener.port;
  close = () => listener.close(0);
});
afterAll(async () => {
  await close();
  await app.close();
});

function ask(headers: Record<string, string>, host = '127.0.0.1') {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request({ host, port, path: '/metrics', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    call.on('error', reject).end();
  });
}

describe('/metrics', () => {
  it('is shown to this machine', async () => {
    expect((await ask({})).status).toBe(200);
    expect((await ask({ host: `localhost:${port}` })).status).toBe(200);
  });

  it.each([
    { 'x-forwarded-for': '192.0.2.1' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=192.0.2.1' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '127.0.0.1' },
    { host: 'tirelire.example.org' },
    { authorization: 'Bearer a-token-for-the-watchers', via: '1.1 proxy' },
    { authorization: 'Bearer ', host: 'tirelire.example.org' },
  ])('is not shown to whoever came by a proxy or under another name: %j', async (headers) => {
    const { status, text } = await ask(headers as unknown as Record<string, string>);
    expect(status).toBe(403);
    expect(text).not.toContain('tirelire_');
  });

  it('is shown from anywhere to whoever holds the token', async () => {
    const headers = { authorization: `Bearer ${token}`, host: 'tirelire.example.org', via: 'x' };
    expect((await ask(headers)).status).toBe(200);
  });

  it('counts requests by route and not by address, and the calls to the outside', async () => {
    const ana = await app.signUp();
    await ana.get('/bridge/items/connect');
    await ana.delete('/messengers/00000000-0000-4000-8000-000000000000');
    await ana.delete('/messengers/00000000-0000-4000-8000-000000000001');
    const counted = /request_seconds_count\{.*route="\/api\/messengers\/:id",status="404"\} 2/;
    const { text } = await eventually(
      () => ask({}),
      (seen) => counted.test(seen.text),
    );
    expect(text).toMatch(/outside_call_seconds_count\{.*service="bridge"/);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('tirelire_queue_jobs{queue="deliveries",state="waiting"} 0');
    expect(text).not.toContain('00000000-0000-4000');
  });
});

describe('a worker', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture(await openPreparedDatabase());
  });
  afterAll(() => fixture.close());

  it('counts what was due, what arrived and how late, and what waits', async () => {
    const person = await addPerson(fixture);
    await addMessenger(fixture, person);
    fixture.clock.set('2026-01-12T08:00:30Z');
    const exposed = async () => (await fixture.services.metrics.expose()).text;
    expect(await exposed()).toContain('tirelire_due_waiting 1');
    expect(await exposed()).toContain('tirelire_due_oldest_seconds 30');
    const worker = await fixture.startWorker();
    const arrived = 'tirelire_deliveries_total{kind="daily",outcome="delivered"} 1';
    const text = await eventually(exposed, (seen) => seen.includes(arrived));
    expect(text).toContain('tirelire_deliveries_due_total 1');
    expect(text).toContain('tirelire_delivery_lag_seconds_sum{kind="daily"} 30');
    expect(text).toMatch(/outside_call_seconds_count\{service="slack",result="2xx"\} 1/);
    expect(text).toContain('tirelire_due_waiting 0');
    await worker.stop();
  });
});
