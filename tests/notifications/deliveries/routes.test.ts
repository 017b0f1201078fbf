import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import type { Messenger } from '../../../src/shared/contract/messengers.ts';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { eventually } from './fixture.ts';
import { bonnard, deliveriesOf } from './people.ts';
import { quick } from './quick.ts';

let app: Application;
let worker: Worker | null = null;
let ana: Person;
let messenger: Messenger;

const start = async () => {
  worker = await startWorker(app.services, quick);
};

beforeAll(async () => {
  app = await startApplication();
  await start();
  ana = await app.signUp();
  const slackBotToken = app.chat.control.install(
    bonnard.team,
    'chat:write,chat:write.public,channels:read,groups:read',
  );
  messenger = (await ana.post('/messengers', { slackBotToken })).body;
});
afterEach(() => {
  app.chat.control.clearFaults();
  app.chat.control.clearMessages();
});
afterAll(async () => {
  await worker?.stop();
  await app.close();
});

const tester = (body?: unknown) => ana.post(`/messengers/slack/${messenger.id}`, body);
const received = () =>
  app.chat.control.messages(bonnard.team, bonnard.general).map(({ text }) => text);
const fault = (code: string) =>
  app.chat.control.addFault({ kind: 'error', method: 'chat.postMessage', code });

describe('Tester', () => {
  it('is refused while a channel or a text is missing, and says which', async () => {
    const { status, body } = await tester();
    expect(status).toBe(422);
    expect(body.code).toBe('Invalid_Messenger');
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      '/slackChannel',
      '/message',
    ]);
  });

  it('sends what is on screen before it is saved', async () => {
    const { status, body } = await tester({
      message: 'Un <!channel> & essai',
      slackChannel: bonnard.general,
    });
    expect([status, body]).toEqual([200, { outcome: 'delivered' }]);
    expect(received()).toEqual(['Un &lt;!channel&gt; &amp; essai']);
  });

  it('sends what is saved, and does not count for the day', async () => {
    await ana.patch(`/messengers/${messenger.id}`, {
      slackChannel: bonnard.general,
      message: 'Bonjour',
    });
    expect((await tester()).status).toBe(200);
    expect(received()).toEqual(['Bonjour']);
    const { body } = await ana.get('/users/me');
    expect(body.messengers[0]).toMatchObject({
      lastDelivery: null,
      nextDate: '2026-01-12T08:00:00.000Z',
    });
  });

  it('says why Slack refused, in French, and pauses nothing', async () => {
    fault('is_archived');
    const { status, body } = await tester();
    expect([status, body.code]).toEqual([409, 'Delivery_Failed']);
    expect(body.message).toBe('Ce channel est archivé. Choisissez-en un autre.');
    expect((await ana.get('/users/me')).body.messengers[0].pause).toBeNull();
  });

  it('says that Slack does not answer, and of no other try than the one there was', async () => {
    fault('service_unavailable');
    const { status, body } = await tester();
    expect([status, body.code]).toEqual([409, 'Delivery_Failed']);
    expect(body.message).toBe(
      'Slack ne répond pas pour le moment. Réessayez dans quelques minutes.',
    );
  });

  it('is tried once: a limit is a refusal, a lost answer is said', async () => {
    app.chat.control.addFault({ kind: 'ratelimited', method: 'chat.postMessage', retryAfter: 1 });
    expect((await tester()).body.code).toBe('Delivery_Failed');
    await app.services.database.sql.deleteFrom('chat_limits').execute();
    app.chat.control.addFault({ kind: 'drop', posted: true, method: 'chat.postMessage' });
    const { status, body } = await tester();
    expect([status, body.code]).toEqual([503, 'Delivery_Unanswered']);
    expect(received()).toHaveLength(1);
  });

  it('is cancelled when nothing answers within ten seconds, and never sent afterwards', async () => {
    await worker?.stop();
    const { status, body } = await tester();
    expect([status, body.code]).toEqual([503, 'Delivery_Unanswered']);
    expect(body.message).toBe("Slack n'a pas répondu à temps. Le test est annulé.");
    await start();
    expect((await tester({ message: 'Le suivant' })).status).toBe(200);
    expect(received()).toEqual(['Le suivant']);
    const { body: page } = await ana.get(`/messengers/${messenger.id}/deliveries`);
    expect(page.deliveries.map(({ outcome }: { outcome: string }) => outcome)).toContain(
      'cancelled',
    );
  }, 40_000);

  it('is a 404 for a stranger, and for no id at all', async () => {
    const eve = await app.signUp();
    const body = { message: 'x', slackChannel: bonnard.general };
    expect((await eve.post(`/messengers/slack/${messenger.id}`, body)).status).toBe(404);
    expect((await ana.post('/messengers/slack/nobody', body)).status).toBe(404);
    expect((await app.visitor.post(`/messengers/slack/${messenger.id}`, body)).status).toBe(401);
    expect(received()).toEqual([]);
  });

  it('refuses a text that cannot be one', async () => {
    for (const message of ['', 'x'.repeat(3001), 7]) {
      const { status, body } = await tester({ message });
      expect({ message, status, body }).toMatchObject({
        status: 422,
        body: { code: 'Invalid_Messenger' },
      });
    }
  });
});

describe('the history of a notification', () => {
  it('tells each delivery with its time, outcome, lateness and reason, newest first', async () => {
    app.clock.set('2026-01-13T10:12:00Z');
    await eventually(
      () => deliveriesOf(app, messenger.id),
      (rows) =>
        rows.filter(({ kind, outcome }) => kind === 'daily' && outcome !== 'pending').length === 2,
    );
    const { body } = await ana.get(`/messengers/${messenger.id}/deliveries`);
    const [late, missed] = body.deliveries;
    expect(late).toMatchObject({
      ...{ kind: 'daily', outcome: 'delivered', lateSeconds: 7920, resends: 0, reason: null },
      ...{ dueDate: '2026-01-13T08:00:00.000Z', channelName: 'général' },
    });
    expect(missed).toMatchObject({
      ...{ kind: 'daily', outcome: 'missed', lateSeconds: null, sentDate: null },
      reason: "Le service était arrêté à l'heure prévue.",
    });
    expect((await ana.get('/users/me')).body.messengers[0].lastDelivery).toEqual(late);
  });

  it('is read page by page, each row once', async () => {
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const query: string = next ? `?limit=3&before=${next}` : '?limit=3';
      const { body } = await ana.get(`/messengers/${messenger.id}/deliveries${query}`);
      seen.push(...body.deliveries.map(({ id }: { id: string }) => id));
      next = body.next;
    } while (next);
    const { body } = await ana.get(`/messengers/${messenger.id}/deliveries?limit=100`);
    expect(seen).toEqual(body.deliveries.map(({ id }: { id: string }) => id));
    expect(seen.length).toBeGreaterThan(6);
  });

  it('is a 404 for a stranger, and a 400 with an invented cursor', async () => {
    const eve = await app.signUp();
    expect((await eve.get(`/messengers/${messenger.id}/deliveries`)).status).toBe(404);
    expect((await ana.get(`/messengers/${messenger.id}/deliveries?before=abc`)).status).toBe(400);
    expect((await ana.get(`/messengers/${messenger.id}/deliveries?limit=0`)).status).toBe(400);
  });
});
