import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import { deliverySettings } from '../../../../src/server/notifications/deliveries/settings.ts';
import { startListening } from '../../../../src/server/notifications/destinations/invitations/listening.ts';
import { configuredTelegram } from '../../../../src/server/providers/chats/telegram/definition.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import type { Invitation } from '../../../../src/shared/contract/invitations.ts';
import {
  startTelegramStandin,
  type TelegramStandin,
} from '../../../../standins/telegram/server.ts';
import { eventually } from '../../../notifications/deliveries/world.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

/** Telegram from the invitation to the removal, with the program, its worker and a Bot API. */
let standin: TelegramStandin;
let app: Application;
let worker: Worker;
let ana: Person;
const alone = 7_100_000_001;
const family = -4_100_000_002;
const association = -1_001_000_000_003;
/** What the family becomes. */
const supergroup = -1_001_000_000_000 + family;
const path = '/messengers/chats/telegram/invitations';

beforeAll(async () => {
  const clock = manualClock();
  standin = await startTelegramStandin({ clock });
  const { url, bot, token } = standin;
  const publicUrl = 'https://tirelire.exemple.fr';
  const chats = [configuredTelegram({ apiUrl: url, linkUrl: url, bot, token, publicUrl })];
  app = await startApplication({ clock, chats });
  const waits = { backoffSeconds: () => 0.05 };
  const paceOf = () => ({ channelGapMs: 20, perTeam: 1, perSecond: null });
  const quick = { idleMs: 20, planAtLeastEveryMs: 20, ...waits, paceOf };
  worker = await startWorker(app.services, { ...deliverySettings, ...quick });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await standin.close();
});
beforeEach(async () => {
  standin.control.clearFaults();
  standin.control.clearMessages();
  ana = await app.signUp();
});
afterEach(async () => {
  for (const { id } of (await ana.get('/users/me')).body.messengers) {
    await ana.delete(`/messengers/${id}`);
  }
});

async function invite(person = ana): Promise<Invitation> {
  const { status, body } = await person.post(path);
  expect(status).toBe(201);
  return body;
}

const stateOf = async ({ code }: Invitation, person = ana) =>
  (await person.get(`${path}/${code}`)).body;

const confirm = ({ code }: Invitation, body = {}, person = ana) =>
  person.post(`${path}/${code}/confirmation`, body);

/** The last words that the bot answered there. */
async function answerIn(chat: number, words: RegExp): Promise<void> {
  await eventually(
    () => standin.control.messages(chat).map(({ body }) => String(body.text)),
    (texts) => texts.some((text) => words.test(text)),
  );
}

/** Linked as a person does it; returns the notification. */
async function linked(chat = alone, more = {}) {
  const invitation = await invite();
  standin.control.start(chat, invitation.code);
  await eventually(
    () => stateOf(invitation),
    ({ state }) => state === 'found',
  );
  const { status, body } = await confirm(invitation, more);
  expect([200, 201]).toContain(status);
  await answerIn(chat, /Revenez dans Tirelire/);
  standin.control.clearMessages();
  return body;
}

/** A text, and nine o'clock comes: the delivery of that day, once it has ended. */
async function nextDelivery(
  id: string,
  before: () => void = () => {},
  isSo = ({ outcome }: Delivery) => outcome !== 'pending',
): Promise<Delivery> {
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  app.clock.set(`${tomorrow}T07:00:00Z`);
  await ana.patch(`/messengers/${id}`, { message: 'Bonjour *à tous*' });
  before();
  app.clock.set(`${tomorrow}T08:00:00Z`);
  const [delivery] = await eventually(
    async () => (await ana.get(`/messengers/${id}/deliveries`)).body.deliveries as Delivery[],
    ([first]) => first !== undefined && isSo(first),
  );
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

async function messengerNow(id: string) {
  const { messengers } = (await ana.get('/users/me')).body;
  return messengers.find((one: { id: string }) => one.id === id);
}

describe('an invitation', () => {
  it('leads to the bot, for oneself or for a group', async () => {
    const { code, url, groupUrl, expireDate } = await invite();
    expect(code).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(url).toBe(`${standin.url}/${standin.bot}?start=${code}`);
    expect(groupUrl).toBe(`${standin.url}/${standin.bot}?startgroup=${code}`);
    expect(Date.parse(expireDate) - app.clock.now().getTime()).toBe(600_000);
    expect(await (await fetch(url)).text()).toContain('Démarrer');
  });

  it('links nothing before the person has seen whose chat it is and says yes', async () => {
    const invitation = await invite();
    expect(await stateOf(invitation)).toEqual({ state: 'waiting', name: null });
    expect((await confirm(invitation)).body.code).toBe('Telegram_Link_Invalid');
    standin.control.start(family, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    expect(await stateOf(invitation)).toEqual({ state: 'found', name: 'Famille Martin' });
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
    const { status, body } = await confirm(invitation);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: 'telegram', channels: 'one', slackTeamName: 'Famille Martin', connected: true },
      relinkLabel: 'Relier une autre conversation',
      slackChannel: String(family),
    });
    // The same press once more changes nothing.
    const again = await confirm(invitation);
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });

  it('is good once, for ten minutes, and for its own user', async () => {
    const [invitation, old] = [await invite(), await invite()];
    standin.control.start(alone, invitation.code);
    await answerIn(alone, /Revenez dans Tirelire/);
    standin.control.start(association, invitation.code);
    await answerIn(association, /plus valable/);
    expect((await stateOf(invitation)).name).toBe('Ana Durand');
    const eve = await app.signUp();
    expect(await stateOf(invitation, eve)).toEqual({ state: 'expired', name: null });
    expect((await confirm(invitation, {}, eve)).body.code).toBe('Telegram_Link_Invalid');
    app.clock.advance({ minutes: 11 });
    standin.control.clearMessages();
    standin.control.start(alone, old.code);
    await answerIn(alone, /plus valable/);
    expect(await stateOf(old)).toEqual({ state: 'expired', name: null });
    expect((await confirm(invitation)).body.code).toBe('Telegram_Link_Invalid');
  });

  it('is explained to whoever starts the bot without one', async () => {
    standin.control.start(alone, '');
    await answerIn(alone, /ajoutez Telegram dans Tirelire/);
    standin.control.start(alone, 'A'.repeat(22));
    await answerIn(alone, /plus valable/);
  });

  it('can be asked for ten times, and then less often', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await ana.post(path)).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(201));
    expect(statuses.slice(-1)).toEqual([429]);
    expect((await ana.post('/messengers/chats/slack/invitations')).status).toBe(404);
  });
});

describe('a linked chat', () => {
  it('gets the test and the daily message', async () => {
    const { id } = await linked();
    expect(await nextDelivery(id)).toMatchObject({ kind: 'daily', outcome: 'delivered' });
    await ana.patch(`/messengers/${id}`, { message: 'Bonjour *à tous* @ana' });
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    expect(standin.control.messages(alone)).toHaveLength(2);
    expect(standin.control.rings()).toBe(0);
  });

  it('gets it once, after the wait that Telegram asked for', async () => {
    const { id } = await linked();
    const limit = () => standin.control.addFault({ kind: 'ratelimited', retryAfter: 1 });
    const delivery = await nextDelivery(id, limit, ({ outcome }) => outcome === 'delivered');
    expect(delivery).toMatchObject({ resends: 0 });
    expect(standin.control.messages(alone)).toHaveLength(1);
  });

  it('does not get it twice when the answer is lost', async () => {
    const { id } = await linked();
    const drop = () => standin.control.addFault({ kind: 'drop', posted: true });
    expect(await nextDelivery(id, drop)).toMatchObject({
      ...{ outcome: 'uncertain', resends: 0 },
      reason: "Telegram n'a pas confirmé l'envoi. Le message est peut-être arrivé.",
    });
    expect(standin.control.messages(alone)).toHaveLength(1);
  });

  it('keeps its notification when it becomes a supergroup', async () => {
    const { id } = await linked(family);
    standin.control.act(family, 'upgrade');
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered' });
    expect((await messengerNow(id)).slackChannel).toBe(String(supergroup));
    expect(standin.control.messages(supergroup)).toHaveLength(1);
    // The removal names the new id alone.
    standin.control.act(supergroup, 'out');
    await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
  });

  it('pauses when the bot is blocked, and keeps text and hour when it is linked again', async () => {
    const { id } = await linked();
    await ana.patch(`/messengers/${id}`, { message: 'Le même' });
    standin.control.act(alone, 'out');
    const paused = await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
    expect(paused).toMatchObject({
      nextDate: null,
      pause: { action: 'reconnect', sentence: expect.stringContaining('est bloqué') },
    });
    expect(await linked(alone, { messengerId: id })).toMatchObject({
      ...{ id, connected: true, pause: null, message: 'Le même', nextDate: expect.any(String) },
    });
  });

  it('pauses at the next message where the removal was not told', async () => {
    const { id } = await linked();
    const refuse = () =>
      standin.control.addFault({
        ...{ kind: 'error', code: 'Forbidden: user is deactivated', extra: { status: 403 } },
      });
    expect(await nextDelivery(id, refuse)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({
      pause: { action: 'reconnect', reason: 'user_gone' },
    });
  });

  it('takes the place of another one, and of no notification of somebody else', async () => {
    const { id } = await linked();
    expect(await linked(association, { messengerId: id })).toMatchObject({
      ...{ id, slackTeamName: 'Association des Lilas', slackChannel: String(association) },
    });
    const owner = ana;
    ana = await app.signUp();
    const invitation = await invite();
    standin.control.start(alone, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    expect((await confirm(invitation, { messengerId: id })).status).toBe(404);
    await owner.delete(`/messengers/${id}`);
  });

  it('is left with the account, where it is a group', async () => {
    const group = standin.control.chats().find(({ id }) => id === supergroup);
    standin.control.act(supergroup, 'back');
    await linked(supergroup);
    const currentPassword = ana.details.password;
    const { body } = await ana.post('/users/me/deletion', { currentPassword });
    await eventually(
      async () => (await app.visitor.get(`/accounts/deletions/${body.receipt}`)).body,
      ({ doneDate }) => doneDate !== null,
    );
    expect(group?.bot).toBe('out');
    ana = await app.signUp();
  });
});

describe('the one who listens', () => {
  const conflicts = () => standin.control.conflicts();

  it('is one process among several, and another takes over when it ends', async () => {
    const waits = { forTurn: 20, afterFailure: 20 };
    const others = [startListening(app.services, waits), startListening(app.services, waits)];
    const before = conflicts();
    const { id } = await linked();
    expect(conflicts()).toBe(before);
    await worker.stop();
    standin.control.act(alone, 'out');
    await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
    expect(conflicts()).toBe(before);
    await Promise.all(others.map((other) => other.stop()));
    const holders = app.services.database.sql.selectFrom('chat_listeners').selectAll();
    expect(await holders.execute()).toEqual([]);
  });

  it('goes on when a call failed, and forgets no event', async () => {
    const invitation = await invite();
    standin.control.addFault({ kind: 'status', status: 502, method: 'getUpdates' });
    standin.control.start(alone, invitation.code);
    const listening = startListening(app.services, { forTurn: 20, afterFailure: 20 });
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    await listening.stop();
  });
});
