import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import type { createMattermostBot } from '../../../../src/server/providers/chats/mattermost/bot-adapter.ts';
import { configuredMattermostBot } from '../../../../src/server/providers/chats/mattermost/definition.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import { botToken, channelId, personToken } from '../../../../standins/mattermost/bot.ts';
import { channels, startMattermostStandin } from '../../../../standins/mattermost/server.ts';
import type {
  ChannelFault,
  WebhookChatStandin,
} from '../../../../standins/service/webhook-chat.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { quick } from '../../../notifications/deliveries/quick.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

const [treasury, office] = channels as [(typeof channels)[number], (typeof channels)[number]];
const kind = 'mattermostbot';
let standin: WebhookChatStandin;
let app: Application;
let worker: Worker;
let ana: Person;

beforeAll(async () => {
  const clock = manualClock();
  standin = await startMattermostStandin({ clock });
  const chats = [configuredMattermostBot({ privateHosts: [] })];
  app = await startApplication({ clock, chats, standinOrigins: [standin.url] });
  worker = await startWorker(app.services, quick);
});
beforeEach(async () => {
  ana = await app.signUp();
});
afterEach(async () => {
  // Tomorrow's message of one test must not meet the faults of the next.
  for (const { id } of (await ana.get('/users/me')).body.messengers) {
    await ana.delete(`/messengers/${id}`);
  }
  for (const { id } of channels) standin.control.setState(id, 'open');
  standin.control.clearFaults();
  standin.control.clearMessages();
  standin.control.clearRequests();
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await standin.close();
});

const link = (values = { address: `${standin.url}/`, token: botToken }) =>
  ana.post(`/messengers/chats/${kind}/link`, { values });

/** The daily delivery of a notification, once it fits. */
async function dailyOf(id: string, isSo: (delivery: Delivery) => boolean): Promise<Delivery> {
  const [delivery] = await eventually(
    async () => {
      const { deliveries } = (await ana.get(`/messengers/${id}/deliveries`)).body;
      return deliveries.filter(({ kind }: Delivery) => kind === 'daily') as Delivery[];
    },
    ([first]) => first !== undefined && isSo(first),
  );
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

const bodies = () => standin.control.messages(treasury.id).map(({ body }) => body);

describe('a bot', () => {
  it('is linked by its server and its token, and its channels are listed', async () => {
    const { status, body } = await link();
    expect([status, body.slackTeamName, body.slackChannel]).toEqual([
      ...[201, 'Association des Lilas', null],
    ]);
    const channels = (await ana.get(`/messengers/${kind}/channels`)).body;
    expect(channels).toEqual([
      { id: channelId(office), name: 'Bureau', isPrivate: true, isExternal: false },
      expect.objectContaining({ name: 'Place publique', isPrivate: false }),
      { id: channelId(treasury), name: 'Trésorerie', isPrivate: false, isExternal: false },
    ]);
    expect(standin.control.requests().every(({ method }) => method === 'GET')).toBe(true);
  });

  it('is linked to a team whose name holds what no column does', async () => {
    const teams = [{ id: 'equipe', display_name: 'Les\u0000 Lilas' }];
    standin.control.addFault({ kind: 'delay' });
    standin.control.addFault({ kind: 'status', status: 200, body: teams });
    const { status, body } = await link();
    expect([status, body.slackTeamName]).toEqual([201, 'Les\ufffd Lilas']);
  });

  test.each([
    ['a dead token', { token: 'x'.repeat(26) }, 502, /refusé le jeton/],
    ['a token of a person', { token: personToken }, 422, /celui d'une personne/],
    ['another server', { address: 'https://127.0.0.1' }, 422, /ne répondent pas comme/],
    ['a private host', { address: 'https://mattermost.local' }, 422, /ne répondent pas comme/],
    ['no token', { token: 'abc' }, 422, /paramètres/],
  ])('with %s is not', async (_name, values, status, message) => {
    const answer = await link({ address: standin.url, token: botToken, ...values });
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });

  it('posts in the channel that was chosen, and once when an answer was lost', async () => {
    const { id } = (await link()).body;
    const message = 'Bonjour *à tous*';
    const slackChannel = channelId(treasury);
    expect((await ana.patch(`/messengers/${id}`, { slackChannel, message })).status).toBe(200);
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    expect(bodies()).toMatchObject([{ message: 'Bonjour **à tous**', channel_id: slackChannel }]);
    standin.control.clearMessages();
    standin.control.addFault({ kind: 'drop', posted: true });
    app.clock.advance({ hours: 1 });
    const delivery = await dailyOf(id, ({ outcome }) => outcome === 'delivered');
    expect(delivery).toMatchObject({ resends: 1 });
    expect(bodies()).toHaveLength(1);
  });

  /** A notification in the treasury's channel, and nine o'clock of the next day. */
  async function nextDelivery(before: () => void, isSo: (delivery: Delivery) => boolean) {
    const { id } = (await link()).body;
    await ana.patch(`/messengers/${id}`, { slackChannel: channelId(treasury), message: 'Bonjour' });
    before();
    app.clock.set(app.clock.now().toISOString().replace(/T.*/, 'T08:00:00Z'));
    app.clock.advance({ days: 1 });
    const delivery = await dailyOf(id, isSo);
    return { delivery, messenger: (await ana.get('/users/me')).body.messengers[0] };
  }

  it('posts once, after the wait that the server asked for', async () => {
    const limit = () => standin.control.addFault({ kind: 'ratelimited', retryAfter: 1 });
    const { delivery } = await nextDelivery(limit, ({ outcome }) => outcome === 'delivered');
    expect(delivery).toMatchObject({ resends: 0 });
    expect(bodies()).toHaveLength(1);
  });

  it('that was taken out of its channel pauses with one button: another channel', async () => {
    const leave = () => standin.control.setState(treasury.id, 'left');
    const { delivery, messenger } = await nextDelivery(
      leave,
      ({ outcome }) => outcome === 'failed',
    );
    expect(delivery.reason).toMatch(/Le bot n'est pas dans ce channel/);
    expect(messenger).toMatchObject({ connected: true, pause: { action: 'choose-channel' } });
  });

  it('whose token was revoked pauses with one button: to be linked again', async () => {
    const code = 'api.context.session_expired.app_error';
    const revoke = () => standin.control.addFault({ kind: 'error', code, extra: { status: 401 } });
    const { messenger } = await nextDelivery(revoke, ({ outcome }) => outcome === 'failed');
    expect(messenger).toMatchObject({ connected: false, pause: { action: 'reconnect' } });
  });

  it('is asked again within the thirty seconds although a try in between was told to wait', async () => {
    const loseAndWait = () => {
      standin.control.addFault({ kind: 'drop', posted: true });
      standin.control.addFault({ kind: 'status', status: 302, headers: { location: '/login' } });
    };
    const { delivery } = await nextDelivery(loseAndWait, ({ outcome }) => outcome !== 'pending');
    expect(delivery).toMatchObject({ outcome: 'delivered', resends: 1 });
    expect(bodies()).toHaveLength(1);
    expect(standin.control.requests().filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('is uncertain once the thirty seconds of the first try are over', async () => {
    const { id } = (await link()).body;
    await ana.patch(`/messengers/${id}`, { slackChannel: channelId(treasury), message: 'Bonjour' });
    standin.control.addFault({ kind: 'drop', posted: true });
    standin.control.addFault({ kind: 'ratelimited', retryAfter: 1 });
    app.clock.set(app.clock.now().toISOString().replace(/T.*/, 'T08:00:00Z'));
    app.clock.advance({ days: 1 });
    await eventually(
      () => standin.control.requests().filter(({ method }) => method === 'POST').length,
      (count) => count === 2,
    );
    app.clock.advance({ seconds: 26 });
    const delivery = await dailyOf(id, ({ outcome }) => outcome !== 'pending');
    expect(delivery).toMatchObject({ outcome: 'uncertain', resends: 1 });
    expect(bodies()).toHaveLength(1);
  });

  it('is not linked where the server sends elsewhere, and later waits there', async () => {
    const fault: ChannelFault = { kind: 'status', status: 302, headers: { location: '/login' } };
    standin.control.addFault(fault);
    expect((await link()).body.message).toMatch(/renvoie ailleurs/);
    const bot = app.services.chats.get(kind) as ReturnType<typeof createMattermostBot>;
    const secret = JSON.stringify({ server: standin.url, token: botToken });
    for (const later of [fault, { kind: 'drop' } as const, { kind: 'html' } as const]) {
      standin.control.addFault(later);
      await expect(bot.listChannels(secret), later.kind).rejects.toMatchObject({
        kind: 'unavailable',
      });
    }
    standin.control.addFault(fault);
    const message = {
      channelId: channelId(treasury),
      text: 'Bonjour',
      clientMessageId: 'ailleurs',
    };
    expect(await bot.post(secret, message)).toMatchObject({ end: 'transient', code: 'redirected' });
  });

  it('does not keep a channel of the server that it left', async () => {
    const { id } = (await link()).body;
    const change = { slackChannel: channelId(treasury), message: 'Bonjour' };
    await ana.patch(`/messengers/${id}`, change);
    await app.services.database.sql
      .updateTable('destinations')
      .set({ team_id: 'ancien.exemple.fr/bot' })
      .where('chat', '=', kind)
      .execute();
    const again = await ana.post(`/messengers/chats/${kind}/link`, {
      values: { address: standin.url, token: botToken },
      messengerId: id,
    });
    expect(again.body).toMatchObject({ id, slackChannel: null, message: 'Bonjour' });
  });

  it('does not choose a channel where it is not', async () => {
    const { id } = (await link()).body;
    standin.control.setState(treasury.id, 'left');
    const change = { slackChannel: channelId(treasury) };
    expect((await ana.patch(`/messengers/${id}`, change)).status).toBe(422);
  });

  it('of several teams names the channel that was chosen as the list does', async () => {
    const { id } = (await link()).body;
    const body = ['equipe', 'autre'].map((id) => ({ id, display_name: `Équipe ${id}` }));
    const teams: ChannelFault = { kind: 'status', status: 200, body };
    standin.control.addFault(teams);
    const channels = (await ana.get(`/messengers/${kind}/channels?refresh=1`)).body;
    const slackChannelName = 'Équipe equipe / Trésorerie';
    expect(channels).toContainEqual(expect.objectContaining({ name: slackChannelName }));
    standin.control.addFault({ kind: 'delay' });
    standin.control.addFault(teams);
    const chosen = await ana.patch(`/messengers/${id}`, { slackChannel: channelId(treasury) });
    expect(chosen.body).toMatchObject({ slackChannelName });
  });
});
