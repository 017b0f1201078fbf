import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import type { ConfiguredChat } from '../../../src/server/providers/chats/registry.ts';
import type { LinkRequest } from '../../../src/shared/contract/chats.ts';
import type { Delivery } from '../../../src/shared/contract/deliveries.ts';
import type { WebhookChatStandin } from '../../../standins/service/webhook-chat.ts';
import { eventually } from '../../notifications/deliveries/fixture.ts';
import { quick } from '../../notifications/deliveries/quick.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { manualClock } from '../../support/clock.ts';
import type { Person } from '../../support/person.ts';
import { type LinkedChat, linkedChats } from './linked-chats.ts';

/**
 * What every chat that is linked by a pasted address does, from its link to its removal: with the
 * program, its worker and a stand-in for each.
 */
let app: Application;
let worker: Worker;
let ana: Person;
const standins = new Map<string, WebhookChatStandin>();

beforeAll(async () => {
  const clock = manualClock('2026-01-12T07:00:00Z');
  const chats: ConfiguredChat[] = [];
  for (const chat of linkedChats) {
    const standin = await chat.start({ clock });
    standins.set(chat.kind, standin);
    chats.push(chat.configure(standin));
  }
  const standinOrigins = [...standins.values()].map(({ url }) => url);
  app = await startApplication({ clock, chats, standinOrigins });
  worker = await startWorker(app.services, { ...quick, unknownLimitSeconds: 1 });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  for (const standin of standins.values()) await standin.close();
});

describe.each(linkedChats)('$name', (chat: LinkedChat) => {
  const { kind, channels } = chat;
  const [channel, other] = channels;
  let standin: WebhookChatStandin;

  beforeEach(async () => {
    const found = standins.get(kind);
    if (!found) throw new Error('no stand-in');
    standin = found;
    for (const { id } of channels) standin.control.setState(id, 'open');
    standin.control.clearFaults();
    standin.control.clearMessages();
    ana = await app.signUp();
  });
  // Tomorrow's message of one test must not meet the faults of the next.
  afterEach(async () => {
    for (const { id } of (await ana.get('/users/me')).body.messengers) {
      await ana.delete(`/messengers/${id}`);
    }
  });

  const link = (more: Partial<LinkRequest> = {}, to = channel) =>
    ana.post(`/messengers/chats/${kind}/link`, {
      values: { address: chat.addressOf(standin.url, to), label: 'Trésorerie' },
      ...more,
    });

  /** Linked as a person does it: with a second call where the trial must be seen. */
  async function linked(more: Partial<LinkRequest> = {}, to = channel) {
    const first = await link(more, to);
    return first.status === 202 ? await link({ ...more, seen: true }, to) : first;
  }

  const texts = (id = channel.id) =>
    standin.control.messages(id).map(({ body }) => chat.textOf(body));

  /** A notification with a text, due at nine tomorrow; returns its id. */
  async function complete(message = 'Bonjour *à tous*'): Promise<string> {
    const { id } = (await linked()).body;
    standin.control.clearMessages();
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000);
    app.clock.set(`${tomorrow.toISOString().slice(0, 10)}T07:00:00Z`);
    await ana.patch(`/messengers/${id}`, { message });
    return id;
  }

  /** Nine o'clock comes: the delivery of that day, once it fits. */
  async function nextDelivery(
    id: string,
    isSo = ({ outcome }: Delivery) => outcome !== 'pending',
  ): Promise<Delivery> {
    app.clock.set(app.clock.now().toISOString().replace(/T.*/, 'T08:00:00Z'));
    const [delivery] = await eventually(
      () => dailyOf(id),
      ([first]) => first !== undefined && isSo(first),
    );
    if (!delivery) throw new Error('no delivery');
    return delivery;
  }

  async function dailyOf(id: string): Promise<Delivery[]> {
    const { deliveries } = (await ana.get(`/messengers/${id}/deliveries`)).body;
    return deliveries.filter((one: Delivery) => one.kind === 'daily');
  }

  async function messengerNow(id: string) {
    const { messengers } = (await ana.get('/users/me')).body;
    return messengers.find((one: { id: string }) => one.id === id);
  }

  it('is linked after a trial, with the name that the person gave', async () => {
    const first = await link();
    expect(first.status).toBe(chat.mustBeSeen ? 202 : 201);
    expect(texts()).toEqual([expect.stringContaining('Les messages de Tirelire arriveront ici.')]);
    const { status, body } = chat.mustBeSeen ? await link({ seen: true }) : first;
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: kind, chatName: chat.name, channels: 'one', connected: true },
      ...{ slackTeamName: 'Trésorerie', slackChannelName: 'Trésorerie' },
    });
    expect(texts()).toHaveLength(1);
    expect(JSON.stringify((await ana.get('/users/me')).body)).not.toContain(channel.key);
  });

  it('gets one notification when it is linked again before that has a text', async () => {
    const { id } = (await linked()).body;
    expect((await linked()).body.id).toBe(id);
    await ana.patch(`/messengers/${id}`, { message: 'Bonjour' });
    expect((await linked()).body.id).not.toBe(id);
  });

  it('is not linked by an address that is none of its own, and nothing is called', async () => {
    standin.control.clearRequests();
    const nowhere = `${chat.addressOf('https://127.0.0.1', channel)}`;
    for (const address of [
      'ailleurs',
      nowhere,
      'https://exemple.fr/',
      chat.addressOf('https://10.0.0.1', channel),
    ]) {
      const { status } = await ana.post(`/messengers/chats/${kind}/link`, {
        values: { address, label: 'Trésorerie' },
      });
      expect(status, address).toBe(422);
    }
    const answer = await ana.post(`/messengers/chats/${kind}/link`, {
      values: { address: chat.addressOf(standin.url, channel), label: ' ' },
    });
    expect(answer.body).toMatchObject({
      code: 'Invalid_Messenger',
      details: [{ path: '/values/label' }],
    });
    expect(standin.control.requests()).toEqual([]);
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
  });

  it('says the same of what refuses, of what answers anything and of what is silent', async () => {
    const said = new Set<string>();
    for (const kind of ['html', 'drop', 'truncated'] as const) {
      // Half of an answer says as much as the whole, where the status says it all.
      if (kind === 'truncated' && chat.mustBeSeen) continue;
      standin.control.addFault({ kind });
      said.add((await link()).body.message);
    }
    standin.control.addFault({ kind: 'status', status: 404, body: 'rien' });
    said.add((await link()).body.message);
    for (const words of said) expect(words).toMatch(chat.strangeWords);
    if (!chat.hasOwnHost) expect([...said]).toHaveLength(1);
  });

  it('is tried out ten times, and then less often', async () => {
    standin.control.setState(channel.id, chat.gone);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await link()).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
    expect(statuses.slice(-1)).toEqual([429]);
  });

  it('gets the test and the daily message, and draws the accounts', async () => {
    const id = await complete();
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    expect(texts()).toEqual([expect.stringContaining('Bonjour')]);
    expect(await nextDelivery(id)).toMatchObject({ kind: 'daily', outcome: 'delivered' });
    expect(texts()).toHaveLength(2);
    expect(standin.control.mentionCount()).toBe(0);
  });

  it('arrives once, after the wait that the chat asked for', async () => {
    const id = await complete();
    standin.control.clearRequests();
    standin.control.addFault({ kind: 'ratelimited', retryAfter: 1 });
    await nextDelivery(id, () => standin.control.requests().length > 0);
    const [delivery] = await eventually(
      () => dailyOf(id),
      ([first]) => first?.outcome === 'delivered',
    );
    expect(delivery).toMatchObject({ resends: 0 });
    expect(texts()).toHaveLength(1);
    expect(standin.control.requests()).toHaveLength(2);
  });

  it(`is ${chat.repeats ? '' : 'not '}sent again when the answer is lost`, async () => {
    const id = await complete();
    standin.control.addFault({ kind: 'drop', posted: true });
    const delivery = await nextDelivery(id);
    expect(delivery.outcome).toBe(chat.repeats ? 'delivered' : 'uncertain');
    expect(texts()).toHaveLength(1);
    if (chat.repeats) return;
    expect(delivery.reason).toBe(
      `${chat.name} n'a pas confirmé l'envoi. Le message est peut-être arrivé.`,
    );
  });

  it('pauses when its address is dead, and keeps text and hour when it gets another', async () => {
    const id = await complete();
    standin.control.setState(channel.id, chat.gone);
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({
      ...{ connected: false, nextDate: null },
      pause: { action: 'reconnect', sentence: expect.stringMatching(chat.goneWords) },
    });
    const again = await linked({ messengerId: id }, other);
    expect([again.status, again.body.id]).toEqual([200, id]);
    expect(again.body).toMatchObject({
      ...{ connected: true, pause: null, message: 'Bonjour *à tous*' },
      nextDate: expect.any(String),
    });
    await ana.post(`/messengers/slack/${id}`, {});
    expect(texts(other.id)).toContainEqual(expect.stringContaining('Bonjour'));
  });

  it('goes to another destination alone, and the others of its own stay', async () => {
    const { id, slackBotToken } = (await linked()).body;
    const { body: copy } = await ana.post(`/messengers/${id}/copies`, { slackBotToken });
    expect((await linked({ messengerId: id }, other)).body.id).toBe(id);
    standin.control.clearMessages();
    for (const one of [id, copy.id]) {
      await ana.patch(`/messengers/${one}`, { message: `Pour ${one}` });
      await ana.post(`/messengers/slack/${one}`, {});
    }
    expect(texts(other.id)).toEqual([expect.stringContaining(`Pour ${id}`)]);
    expect(texts(channel.id)).toEqual([expect.stringContaining(`Pour ${copy.id}`)]);
    // Its destination is known already: both meet there, and the one that is left goes.
    await linked({ messengerId: copy.id }, other);
    standin.control.clearMessages();
    await ana.post(`/messengers/slack/${copy.id}`, {});
    expect(texts(other.id)).toHaveLength(1);
  });

  it('is not linked anew for a notification of somebody else', async () => {
    const { id } = (await linked()).body;
    const owner = ana;
    ana = await app.signUp();
    expect((await linked({ messengerId: id })).status).toBe(404);
    expect((await linked({ messengerId: 'inconnu' })).status).toBe(404);
    await owner.delete(`/messengers/${id}`);
  });
});
