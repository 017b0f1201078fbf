import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeAbandoned } from '../../../../src/server/notifications/destinations/revocation.ts';
import { configuredDiscord } from '../../../../src/server/providers/chats/discord/definition.ts';
import { application } from '../../../../standins/discord/consent.ts';
import { channels, startDiscordStandin, webhookOf } from '../../../../standins/discord/server.ts';
import type { WebhookChatStandin } from '../../../../standins/service/webhook-chat.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

const [channel, other] = channels as [(typeof channels)[number], (typeof channels)[number]];
let standin: WebhookChatStandin;
let app: Application;
let ana: Person;

beforeAll(async () => {
  const clock = manualClock();
  standin = await startDiscordStandin({ clock });
  const authorizeUrl = `${standin.url}/oauth2/authorize`;
  const settings = {
    apiUrl: `${standin.url}/api/v10`,
    application: { ...application, authorizeUrl },
  };
  app = await startApplication({ clock, chats: [configuredDiscord(settings)] });
});
beforeEach(async () => {
  ana = await app.signUp();
});
afterEach(() => {
  standin.control.clearFaults();
  standin.control.setState(channel.id, 'open');
});
afterAll(async () => {
  await app.close();
  await standin.close();
});

/** What is on the consent page is decided, and the browser comes back: where the program sends it. */
async function comeBack(salon: string | null = channel.id): Promise<URLSearchParams> {
  const { body } = await ana.get('/messengers/discord/connect');
  expect((await fetch(body.redirect_url)).status).toBe(200);
  const form = new URLSearchParams(salon === null ? {} : { salon });
  const decided = await fetch(body.redirect_url, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const back = new URL(decided.headers.get('location') ?? '');
  const answer = await app.visitor.get(`/messengers/discord/callback${back.search}`);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

describe("Discord's consent", () => {
  it('is offered first, and the pasted address after it', async () => {
    const offer = (await ana.get('/messengers/chats')).body.at(-1);
    expect(offer).toMatchObject({
      kind: 'discord',
      linkings: [
        { way: 'consent', connectPath: '/messengers/discord/connect' },
        { way: 'address' },
      ],
    });
  });

  it('brings a webhook of the channel that was chosen', async () => {
    const slackBotToken = (await comeBack()).get('token');
    expect(slackBotToken).toMatch(/^tirelire-discord-/);
    const { status, body } = await ana.post('/messengers', { slackBotToken });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      chat: 'discord',
      slackChannelName: channel.name,
      connected: true,
    });
    expect(JSON.stringify(body)).not.toContain(channel.key);
  });

  it('that is declined, forged or late leads back with words', async () => {
    expect((await comeBack(null)).get('notice')).toBe('chat-cancelled');
    const forged = await app.visitor.get('/messengers/discord/callback?code=a&state=b');
    expect(forged.headers.get('location')).toContain('notice=chat-expired');
    standin.control.addFault({ kind: 'status', status: 400, body: { error: 'invalid_grant' } });
    expect((await comeBack()).get('notice')).toBe('chat-expired');
    standin.control.addFault({ kind: 'drop' });
    expect((await comeBack()).get('notice')).toBe('chat-failed');
    standin.control.addFault({ kind: 'status', status: 400, body: { code: 30_007 } });
    expect((await comeBack()).get('notice')).toBe('chat-failed');
  });
});

const isGone = () =>
  fetch(`${standin.url}/api/webhooks/${channel.key}`).then(({ status }) => status === 404);

describe('a notification that goes to another channel', () => {
  // Nobody else's link is to keep the webhook.
  beforeEach(async () => {
    await app.services.database.sql.deleteFrom('messengers').execute();
    await app.services.database.sql.deleteFrom('destinations').execute();
  });

  const link = (messengerId: string, to = other) =>
    ana.post('/messengers/chats/discord/link', {
      ...{ linking: 1, messengerId },
      values: { address: webhookOf(standin.url, to), label: 'Bureau' },
    });

  it('leaves no webhook behind that a consent made, as soon as no other one uses it', async () => {
    const slackBotToken = (await comeBack()).get('token');
    const first = (await ana.post('/messengers', { slackBotToken })).body;
    const handle = { slackBotToken: first.slackBotToken };
    const second = (await ana.post(`/messengers/${first.id}/copies`, handle)).body;
    expect((await link(first.id)).body.slackChannelName).toBe('Bureau');
    app.clock.advance({ minutes: 2 });
    await revokeAbandoned(app.services);
    expect(await isGone()).toBe(false);
    expect((await link(second.id)).body.slackChannelName).toBe('Bureau');
    app.clock.advance({ minutes: 2 });
    await revokeAbandoned(app.services);
    expect(await isGone()).toBe(true);
    expect((await ana.get('/users/me')).body.messengers).toMatchObject([
      ...[
        { id: first.id, connected: true },
        { id: second.id, connected: true },
      ],
    ]);
  });

  it('does not call a webhook that is gone already', async () => {
    const slackBotToken = (await comeBack()).get('token');
    const { id } = (await ana.post('/messengers', { slackBotToken })).body;
    await app.services.database.sql
      .updateTable('destinations')
      .set({ state: 'disconnected' })
      .execute();
    standin.control.clearRequests();
    await link(id);
    app.clock.advance({ minutes: 2 });
    await revokeAbandoned(app.services);
    expect(standin.control.requests().map(({ method }) => method)).not.toContain('DELETE');
  });
});

describe('what ends with an account', () => {
  const discord = () => {
    const chat = app.services.chats.get('discord');
    if (!chat) throw new Error('no chat');
    return chat;
  };
  const [id, token] = channel.key.split('/');

  it('is the webhook that a consent made, once or twice', async () => {
    const secret = JSON.stringify({ id, token, isOurs: true });
    await discord().revoke(secret);
    expect(await isGone()).toBe(true);
    await discord().revoke(secret);
    standin.control.addFault({ kind: 'status', status: 503 });
    await expect(discord().revoke(secret)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('has ended with its token, and not because of a page of something in between', async () => {
    const secret = JSON.stringify({ id, token, isOurs: true });
    standin.control.addFault({ kind: 'error', code: '50027', extra: { status: 401 } });
    await discord().revoke(secret);
    for (const status of [302, 401, 403, 404]) {
      standin.control.addFault({ kind: 'status', status, body: '<html>' });
      await expect(discord().revoke(secret)).rejects.toMatchObject({ kind: 'unavailable' });
    }
    standin.control.addFault({ kind: 'error', code: '50013', extra: { status: 403 } });
    await expect(discord().revoke(secret)).rejects.toMatchObject({ kind: 'fault' });
  });

  it('is not the webhook whose address was pasted', async () => {
    await discord().revoke(JSON.stringify({ id, token }));
    expect(await isGone()).toBe(false);
  });
});
