import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import { createSlack } from '../../../../src/server/providers/chats/slack/adapter.ts';
import { type SlackStandin, startSlackStandin } from '../../../../standins/slack/server.ts';

const large = 'T0BONNARD';
const small = 'T0FONTAINE';
const log = pino({ level: 'silent' });
const httpClient = createHttpClient({ log });
let standin: SlackStandin;
let slack: ReturnType<typeof createSlack>;

beforeAll(async () => {
  standin = await startSlackStandin({ clock: { now: () => new Date() } });
  slack = createSlack({
    httpClient,
    configuration: {
      apiUrl: standin.apiUrl,
      authorizeUrl: standin.authorizeUrls.granular,
      scope: 'chat:write,channels:read,groups:read',
      clientId: standin.clientId,
      clientSecret: standin.clientSecret,
      signingSecrets: [],
    },
  });
});

afterEach(() => standin.control.clearFaults());

afterAll(async () => {
  await httpClient.close();
  await standin.close();
});

describe('The channels of a workspace', () => {
  it('come from every page, also past pages that are empty, without archived or unseen ones', async () => {
    const { channels, complete } = await slack.listChannels(standin.control.install(large));
    const names = new Set(channels.map((channel) => channel.name));
    expect(complete).toBe(true);
    expect(channels.length).toBeGreaterThan(2000);
    expect(new Set(channels.map((channel) => channel.id)).size).toBe(channels.length);
    expect(names).toContain('trésorerie');
    expect(names).not.toContain('ancien-budget');
    expect(names).not.toContain('direction');
    expect(channels.find((channel) => channel.name === 'associés')?.isPrivate).toBe(true);
    expect(channels.find((channel) => channel.name === 'expert-comptable')?.isExternal).toBe(true);
  });

  it('are shown as far as they were read when a limit is met half-way, and it is said', async () => {
    const token = standin.control.install(large);
    // The limit meets the second call: the first fault passes one call through.
    standin.control.addFault({ method: 'conversations.list', kind: 'delay', ms: 0 });
    standin.control.addFault({ method: 'conversations.list', kind: 'ratelimited' });
    const { channels, complete } = await slack.listChannels(token);
    expect(complete).toBe(false);
    expect(channels.length).toBeGreaterThan(100);
    expect(channels.length).toBeLessThan(500);
  });

  it('are refused with the reason when the very first page fails', async () => {
    const token = standin.control.install(large);
    standin.control.addFault({ kind: 'ratelimited', retryAfter: 12 });
    await expect(slack.listChannels(token)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ratelimited',
      retryAfterSeconds: 12,
    });
  });

  it.each([
    [{ kind: 'ratelimited', retryAfter: null }, 'ratelimited'],
    [{ kind: 'html' }, 'unreadable_answer'],
    [{ kind: 'truncated' }, 'unreadable_answer'],
    [{ kind: 'status', status: 503 }, 'http_503'],
    [{ kind: 'status', status: 302 }, 'http_302'],
    [{ kind: 'status', status: 404 }, 'http_404'],
    [{ kind: 'drop' }, 'network_reset'],
  ] as const)('an answer such as %j is told as unavailable', async (fault, code) => {
    const token = standin.control.install(large);
    standin.control.addFault(fault);
    const refused = slack.listChannels(token);
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable', code });
  });

  it('are the public ones when private ones were not granted', async () => {
    // What was granted before would be kept.
    await standin.control.uninstall(small);
    const token = standin.control.install(small, 'chat:write,channels:read');
    const { channels } = await slack.listChannels(token);
    expect(channels.map((channel) => channel.name)).toContain('trésorerie');
    expect(channels.some((channel) => channel.isPrivate)).toBe(false);
  });

  it('are refused with the reason when the public ones alone are not given either', async () => {
    const token = standin.control.install(small);
    const method = 'conversations.list';
    standin.control.addFault({ method, kind: 'error', code: 'missing_scope' });
    standin.control.addFault({ method, kind: 'ratelimited', retryAfter: 12 });
    await expect(slack.listChannels(token)).rejects.toMatchObject({
      ...{ kind: 'unavailable', code: 'ratelimited', retryAfterSeconds: 12 },
    });
  });

  it('are found one by one, but not archived or unseen ones', async () => {
    const token = standin.control.install(small);
    expect(await slack.findChannel(token, 'C0FTRESOR00')).toEqual({
      id: 'C0FTRESOR00',
      name: 'trésorerie',
      isPrivate: false,
      isExternal: false,
    });
    expect(await slack.findChannel(token, 'C0FARCHIV00')).toBeNull();
    expect(await slack.findChannel(token, 'C0FDIRECT00')).toBeNull();
    await expect(slack.findChannel('xoxb-faux', 'C0FTRESOR00')).rejects.toMatchObject({
      kind: 'installation',
      code: 'invalid_auth',
    });
  });
});

describe('A token', () => {
  it('is identified, and two at once are never mistaken for each other', async () => {
    const tokens = [standin.control.install(large), standin.control.install(small)];
    const found = await Promise.all(tokens.map((token) => slack.token.identify(token)));
    expect(found.map((one) => one.teamName)).toEqual(['Atelier Bonnard', 'Maison Fontaine']);
    expect(found.map((one) => one.secret)).toEqual(tokens);
    expect(found[0]?.scope).toBe('bot');
  });
});
