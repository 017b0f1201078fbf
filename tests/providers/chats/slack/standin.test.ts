import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { signature } from '../../../../standins/slack/events.ts';
import type { SlackStandinOptions } from '../../../../standins/slack/options.ts';
import { type SlackStandin, startSlackStandin } from '../../../../standins/slack/server.ts';

const clock = { now: () => new Date('2026-03-02T08:00:00Z') };
const open: SlackStandin[] = [];

async function start(options: Partial<SlackStandinOptions> = {}): Promise<SlackStandin> {
  const standin = await startSlackStandin({ clock, ...options });
  open.push(standin);
  return standin;
}

afterEach(async () => {
  for (const standin of open.splice(0)) await standin.close();
});

async function call(
  standin: SlackStandin,
  method: string,
  args: Record<string, string> = {},
  token = '',
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const body = new URLSearchParams(args);
  const answer = await fetch(standin.apiUrl + method, { method: 'POST', headers, body });
  return (await answer.json()) as Record<string, unknown>;
}

describe('The stand-in checks a token in order', () => {
  it('none, unknown, removed, without the scope', async () => {
    const standin = await start();
    const token = standin.control.install('T0FONTAINE', 'channels:read');
    expect(await call(standin, 'auth.test')).toMatchObject({ error: 'not_authed' });
    expect(await call(standin, 'auth.test?token=x')).toMatchObject({ error: 'not_authed' });
    expect(await call(standin, 'auth.test', {}, 'xoxb-x')).toMatchObject({ error: 'invalid_auth' });
    expect(await call(standin, 'chat.postMessage', {}, token)).toEqual({
      ok: false,
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'channels:read',
    });
    await standin.control.uninstall('T0FONTAINE');
    expect(await call(standin, 'auth.test', {}, token)).toMatchObject({
      error: 'account_inactive',
    });
    expect(await call(standin, 'nothing.there')).toMatchObject({ error: 'unknown_method' });
  });
});

describe('The pages of the stand-in', () => {
  it('have the messages of a channel before the list of all channels', async () => {
    const { url } = await start();
    const page = await (await fetch(`${url}/espaces/T0FONTAINE/C0FTRESOR00`)).text();
    expect(page.indexOf('role="log"')).toBeGreaterThan(0);
    expect(page.indexOf('role="log"')).toBeLessThan(page.indexOf('<nav'));
  });
});

describe('The stand-in reads a body by its type', () => {
  async function post(body: string, headers: Record<string, string>) {
    const standin = await start();
    const token = standin.control.install('T0FONTAINE');
    const answer = await fetch(`${standin.apiUrl}auth.test`, {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]),
      ),
      // As bytes, so that no type is added to a request that has none.
      body: new TextEncoder().encode(body.replace('TOKEN', token)),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
  const authorization = 'Bearer TOKEN';

  it.each([
    ['none', 'a=b', { authorization }, 'missing_post_type'],
    ['text', 'a=b', { authorization, 'content-type': 'text/plain' }, 'invalid_post_type'],
    ['JSON cut off', '{', { authorization, 'content-type': 'application/json' }, 'invalid_json'],
    ['a list', '[]', { authorization, 'content-type': 'application/json' }, 'json_not_object'],
    ['a token in JSON', '{"token":"TOKEN"}', { 'content-type': 'application/json' }, 'not_authed'],
  ])('%s is refused', async (_words, body, headers, error) => {
    expect(await post(body, headers)).toEqual({ ok: false, error });
  });

  it('takes a token from a form', async () => {
    const type = 'application/x-www-form-urlencoded';
    expect(await post('token=TOKEN', { 'content-type': type })).toMatchObject({ ok: true });
  });
});

describe('The stand-in varies what the documentation leaves open', () => {
  it('the charset, escaped letters, the end of a list and fields that are false', async () => {
    const standin = await start({ varied: true });
    const channels = [
      { id: 'C0000000001', name: 'général' },
      { id: 'C0000000002', name: 'équipe' },
      { id: 'C0000000003', name: 'été' },
    ];
    standin.control.addTeam({ id: 'T0VARIED', name: 'Été', channels });
    const authorization = `Bearer ${standin.control.install('T0VARIED')}`;
    const texts: string[] = [];
    const types: (string | null)[] = [];
    for (let time = 0; time < 3; time += 1) {
      const address = `${standin.apiUrl}conversations.list`;
      const answer = await fetch(address, { headers: { authorization } });
      types.push(answer.headers.get('content-type'));
      texts.push(await answer.text());
    }
    expect(new Set(types).size).toBe(3);
    expect(texts.map((body) => body.includes('général'))).toEqual([true, false, true]);
    expect(texts.map((body) => body.includes('next_cursor'))).toEqual([true, false, true]);
    for (const body of texts) {
      const told = JSON.parse(body).channels as Record<string, unknown>[];
      expect(told.map(({ name }) => name)).toEqual(['général', 'équipe', 'été']);
      expect(told.filter((channel) => 'is_archived' in channel)).toHaveLength(2);
    }
  });
});

describe('The stand-in takes messages as Slack does', () => {
  it('refuses what is no message', async () => {
    const standin = await start();
    const token = standin.control.install('T0FONTAINE');
    const channel = 'C0FTRESOR00';
    const error = async (args: Record<string, string>) =>
      (await call(standin, 'chat.postMessage', { channel, ...args }, token)).error;
    const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
    expect(await error({})).toBe('no_text');
    expect(await error({ text: 'x', markdown_text: 'y' })).toBe('markdown_text_conflict');
    expect(await error({ blocks: '{' })).toBe('invalid_blocks_format');
    expect(await error({ blocks: JSON.stringify(Array(51).fill(section('x'))) })).toBe(
      'invalid_blocks',
    );
    expect(await error({ blocks: JSON.stringify([section('x'.repeat(3001))]) })).toBe(
      'invalid_blocks',
    );
    const table = (...texts: string[]) => ({
      type: 'table',
      rows: texts.map((text) => [{ type: 'raw_text', text }]),
    });
    const refused = (...blocks: object[]) => error({ blocks: JSON.stringify(blocks) });
    expect(await refused(table('x'), table('y'))).toBe('invalid_attachments');
    expect(await refused(table('x', ''))).toBe('invalid_blocks');
    expect(await refused(table(...Array(101).fill('x')))).toBe('invalid_blocks');
    expect(await refused(table(...Array(11).fill('x'.repeat(1000))))).toBe('invalid_blocks');
    expect(await refused({ type: 'context', elements: [] })).toBe('invalid_blocks');
  });

  it('gives each its own growing time stamp, keeps the same client id twice, cuts a long one', async () => {
    const standin = await start();
    const token = standin.control.install('T0FONTAINE');
    const args = { channel: 'trésorerie', text: 'x', client_msg_id: 'même' };
    const first = await call(standin, 'chat.postMessage', args, token);
    const second = await call(standin, 'chat.postMessage', args, token);
    const third = await call(
      standin,
      'chat.postMessage',
      { ...args, text: 'x'.repeat(40_001) },
      token,
    );
    expect(String(second.ts) > String(first.ts)).toBe(true);
    expect(first.ts).toMatch(/^\d{10}\.\d{6}$/);
    expect(third.warning).toBe('message_truncated');
    expect(standin.control.log().map((row) => row[3])).toEqual(['même', 'même', 'même']);
  });

  it('lets a channel take a message a second and then says how long to wait', async () => {
    const standin = await start({ limits: true });
    const token = standin.control.install('T0FONTAINE');
    const headers = { authorization: `Bearer ${token}` };
    const post = (channel: string) =>
      fetch(`${standin.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ channel, text: 'x' }),
      });
    const burst = await Promise.all(Array.from({ length: 12 }, () => post('C0FTRESOR00')));
    const limited = burst.find((answer) => answer.status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post('C0FGENERAL0')).status).toBe(200);
  });

  it('in open mode takes any team and keeps a short row of each message', async () => {
    const standin = await start({ open: true });
    const args = { channel: 'C0000000042', text: 'x', client_msg_id: 'a' };
    const answer = await call(standin, 'chat.postMessage', args, 'xoxb-T0000042-x');
    expect(answer.ok).toBe(true);
    const log = await fetch(`${standin.url}/_control/log`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ team: 'T0000042' }]),
    });
    const row = ['T0000042', 'C0000000042', expect.any(Number), 'a', answer.ts];
    expect(await log.json()).toEqual({ result: [row] });
  });
});

describe('The stand-in lists channels as Slack does', () => {
  it('filters after cutting: a page may be empty and still have a next one', async () => {
    const standin = await start();
    const token = standin.control.install('T0BONNARD');
    const sizes: number[] = [];
    let cursor = '';
    do {
      const args = { limit: '200', exclude_archived: 'true', cursor };
      const page = await call(standin, 'conversations.list', args, token);
      sizes.push((page.channels as unknown[]).length);
      cursor = (page.response_metadata as { next_cursor: string }).next_cursor;
    } while (cursor !== '');
    expect(sizes).toHaveLength(15);
    expect(sizes).toContain(0);
  });

  it('refuses a page of a thousand, a strange type and a strange cursor', async () => {
    const standin = await start();
    const token = standin.control.install('T0BONNARD');
    const error = async (args: Record<string, string>) =>
      (await call(standin, 'conversations.list', args, token)).error;
    expect(await error({ limit: '1000' })).toBe('invalid_limit');
    expect(await error({ types: 'canal' })).toBe('invalid_types');
    expect(await error({ cursor: 'abc' })).toBe('invalid_cursor');
  });
});

describe('The stand-in remembers and tells', () => {
  it('keeps tokens, members and messages over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slack-'));
    const stateFile = join(folder, 'slack.json');
    const before = await start({ stateFile });
    const token = before.control.install('T0FONTAINE');
    before.control.setChannel('T0FONTAINE', 'C0FDIRECT00', { isMember: true });
    await call(before, 'chat.postMessage', { channel: 'C0FDIRECT00', text: 'Bonjour' }, token);
    await before.close();
    const after = await start({ stateFile });
    expect(await call(after, 'auth.test', {}, token)).toMatchObject({ ok: true });
    expect(after.control.messages('T0FONTAINE', 'C0FDIRECT00')[0]?.text).toBe('Bonjour');
    await rm(folder, { recursive: true });
  });

  it('signs as Slack documents', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    expect(signature('8f742231b10e8888abcd99yyyzzz85a5', '1531420618', body)).toBe(
      'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    );
  });

  it('sends signed events when its bot is removed, again when one is not taken', async () => {
    const received: { type: string; retry: string | undefined }[] = [];
    const listener = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const stamp = String(request.headers['x-slack-request-timestamp']);
        const expected = signature('demo-slack-signing-secret', stamp, body);
        if (request.headers['x-slack-signature'] !== expected) return response.destroy();
        const retry = request.headers['x-slack-retry-num'];
        received.push({ type: JSON.parse(body).event.type, retry: retry?.toString() });
        return response.writeHead(received.length === 1 ? 500 : 200).end();
      });
    });
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
    const eventsUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    const standin = await start({ eventsUrl });
    standin.control.install('T0FONTAINE');
    await standin.control.uninstall('T0FONTAINE');
    expect(received).toEqual([
      { type: 'tokens_revoked', retry: undefined },
      { type: 'tokens_revoked', retry: '1' },
      { type: 'app_uninstalled', retry: undefined },
    ]);
    listener.close();
  });
});
