import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageRoutes } from '../../src/server/app/pages.ts';
import { type Listener, openListener } from '../../src/server/platform/http/listener.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { unlogged } from '../support/unlogged.ts';

let app: Application;
let ana: Person;
let pages: FastifyInstance;
let folder: string;
beforeAll(async () => {
  app = await startApplication();
  ana = await app.signUp();
  folder = mkdtempSync(join(tmpdir(), 'tirelire-attacks-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><div id="root"></div>');
  writeFileSync(join(folder, '..', 'secret-beside.txt'), 'root:x:0:0');
  pages = Fastify();
  await pages.register(pageRoutes(app.services, folder));
});
afterAll(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
  rmSync(join(folder, '..', 'secret-beside.txt'), { force: true });
  await app.close();
});

/** Sends bytes as they are and gives all that comes back before the connection ends. */
function speak(port: number, ...pieces: string[]): Promise<string> {
  return hear(port, (socket) => {
    for (const piece of pieces) socket.write(piece);
  });
}

/** The same, with a twentieth of a second before each piece. */
function speakSlowly(port: number, pieces: string[]): Promise<string> {
  return hear(port, async (socket) => {
    for (const piece of pieces) {
      await sleep(50);
      if (socket.writable) socket.write(piece);
    }
  });
}

function hear(port: number, say: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('close', () => resolve(heard));
    // Cut off before its answer was read: it is over all the same.
    socket.on('error', () => resolve(heard || 'reset'));
    say(socket);
  });
}

/** Answers what has come whole. */
async function listenFor(limits: Parameters<typeof openListener>[2]): Promise<Listener> {
  const listener = await openListener({ host: '127.0.0.1', port: 0 }, unlogged, limits);
  listener.handOver((request, response) => {
    request.on('data', () => {}).on('end', () => response.end('read'));
  });
  return listener;
}

const portOf = (url: string) => Number(new URL(url).port);

const timeLimits = { headMs: 200, bodyMs: 400, bytesPerSecond: 100_000 };

test('a body or a head that dribbles in ends in 408 and holds nothing open', async () => {
  const listener = await listenFor(timeLimits);
  const start = 'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const [body, head] = await Promise.all([
    speak(listener.port, `${start}Content-Length: 100000\r\n\r\n`, '{"email":'),
    speak(listener.port, start),
  ]);
  await listener.close(0);
  for (const end of [body, head]) expect(end).toMatch(/^HTTP\/1\.1 408 |^reset$/);
});

test('a large body has the time that it needs at a least rate, and below that rate ends in 408', async () => {
  const listener = await listenFor(timeLimits);
  const upload = (bytesPerSecond: number) => {
    const pieces = Array.from({ length: 20 }, () => 'x'.repeat(bytesPerSecond / 20));
    const length = pieces.join('').length;
    const head = `POST /api/banks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
    return speakSlowly(listener.port, [head, ...pieces]);
  };
  // A second each, in twenty pieces.
  const [steady, slow] = await Promise.all([upload(200_000), upload(10_000)]);
  await listener.close(0);
  expect(steady).toMatch(/^HTTP\/1\.1 200 .*read$/s);
  expect(slow).toMatch(/^HTTP\/1\.1 408 |^reset$/);
});

test('a body behind another answer has its time from its turn on', async () => {
  const listener = await openListener({ host: '127.0.0.1', port: 0 }, unlogged, timeLimits);
  listener.handOver(async (request, response) => {
    if (request.method === 'GET') {
      response.write('begun, ');
      await sleep(2 * timeLimits.bodyMs);
      return response.end('ended');
    }
    request.on('data', () => {}).on('end', () => response.end('read'));
  });
  const answers = await hear(listener.port, (socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\n');
    socket.on('data', (chunk) => {
      if (chunk.includes('ended')) socket.write('body');
    });
  });
  await listener.close(0);
  expect(answers).toMatch(/begun, .*ended.*HTTP\/1\.1 200 .*read/s);
  expect(answers).not.toContain('408');
});

test('a request that could be read as two is refused', async () => {
  const smuggled = 'GET /api/users/me HTTP/1.1\r\nHost: x\r\n\r\n';
  const answers = await Promise.all([
    speak(
      portOf(app.url),
      `POST /api/accounts/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ),
    speak(
      portOf(app.url),
      'GET /api/users/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ),
    speak(
      portOf(app.url),
      'GET /api/users/me HTTP/1.1\r\nHost: x\r\nX: a\nAuthorization: b\r\r\n\r\n',
    ),
    speak(portOf(app.url), `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (400|431) /);
});

test('a request is not sent back to whoever asks for that', async () => {
  const echo = await speak(
    portOf(app.url),
    'TRACE /api/users/me HTTP/1.1\r\nHost: x\r\nX-Secret: abc\r\nConnection: close\r\n\r\n',
  );
  expect(echo).toMatch(/^HTTP\/1\.1 4/);
  expect(echo).not.toContain('abc');
});

test('no header of an answer is written by the visitor', async () => {
  const evil = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a<script>';
  const paths = [
    `/messengers/slack/callback?state=${evil}&code=${evil}&error=${evil}`,
    `/bridge/callback?context=${evil}&success=${evil}&step=${evil}`,
    `/messengers/${evil}/deliveries`,
    `/${evil}`,
  ];
  for (const path of paths) {
    const { headers, body } = await ana.get(path);
    expect(headers.get('set-cookie')).toBeNull();
    expect(JSON.stringify([body, [...headers]])).not.toMatch(/script|Set-Cookie/i);
  }
});

test('what a visitor sends starts no line of the log, and hides no other', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const text = 'x\n{"level":60,"msg":"forged"}\r\n\u2028\u001b[2J';
  log.info({ req: { method: text, url: `/${text}?token=secret` }, words: text }, text);
  expect(lines).toHaveLength(1);
  expect([...(lines[0] ?? '').trimEnd()].filter((sign) => sign < ' ')).toEqual([]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, msg: text });
  expect(lines[0]).not.toContain('secret');
});

test.each([
  '/../secret-beside.txt',
  '/assets/../../secret-beside.txt',
  '/%2e%2e/secret-beside.txt',
  '/..%2fsecret-beside.txt',
  '/..%5csecret-beside.txt',
  '/%252e%252e/secret-beside.txt',
  '/assets/%c0%ae%c0%ae/secret-beside.txt',
  '//etc/passwd',
  '/.env',
  '/.vite/manifest.json',
  '/index.html%00.png',
  '/\\..\\secret-beside.txt',
  '/package.json',
])('no file but those of the web app is served: %s', async (url) => {
  const host = new URL(app.url).host;
  const { statusCode, body } = await pages.inject({ url, headers: { host } });
  expect(body).not.toContain('root:');
  expect(body).not.toContain('"dependencies"');
  if (statusCode === 200) expect(body).toContain('id="root"');
  else expect([307, 400, 404]).toContain(statusCode);
});

test('no address of ours leads to another site', async () => {
  const evil = 'https://evil.example';
  const query = new URLSearchParams(
    ['next', 'redirect', 'return', 'url', 'state', 'context', 'redirect_uri', 'callback_url']
      .concat(['code', 'error', 'token', 'notice', 'success', 'step'])
      .map((name) => [name, evil]),
  );
  const asked = ['/messengers/slack/callback', '/bridge/callback', '/messengers/slack/connect'];
  for (const path of asked) {
    for (const host of [new URL(app.url).host, 'evil.example']) {
      const headers = { host, 'x-forwarded-host': host };
      const answer = await ana.send('GET', `${path}?${query}`, { headers });
      const target = answer.headers.get('location') ?? answer.body.redirect_url;
      expect([app.url, app.chat.url]).toContain(new URL(target).origin);
      expect(target).not.toContain('evil.example');
    }
  }
  for (const url of ['//evil.example', '/\\evil.example', '/%09/evil.example', `/?next=${evil}`]) {
    const { headers } = await pages.inject({ url, headers: { host: 'evil.example' } });
    if (headers.location) expect(new URL(String(headers.location)).origin).toBe(app.url);
  }
});

test('a bank’s or a chat’s notice that nobody signed is refused', async () => {
  const signed = ['/bridge/webhooks', '/messengers/slack/events', '/messengers/slack/commands'];
  for (const path of signed) {
    const unsigned: Record<string, string>[] = [
      {},
      { 'bridgeapi-signature': 'v1=00', 'x-slack-signature': 'v0=00' },
    ];
    for (const headers of unsigned) {
      const answer = await app.visitor.send('POST', path, { headers, body: '{}' });
      expect([answer.status, answer.body.code]).toEqual([401, 'Signature_Invalid']);
    }
  }
});

test('every answer says how little may be done with it', async () => {
  const paths = ['/users/me', '/openapi.json', '/docs/', '/nulle-part', '/bridge/callback'];
  for (const path of paths) {
    const { headers } = await ana.get(path);
    expect(headers.get('cache-control'), path).toBe('no-store');
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('x-frame-options'), path).toBe('DENY');
    expect(headers.get('referrer-policy'), path).toMatch(/no-referrer|same-origin/);
    expect(headers.get('permissions-policy'), path).toContain('camera=()');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, path).toMatch(/default-src '(none|self)'/);
    expect(policy, path).not.toMatch(/unsafe-(inline|eval)|https:|\*/);
    expect(headers.get('access-control-allow-origin'), path).toBeNull();
    expect(headers.get('server'), path).toBeNull();
    expect(headers.get('x-powered-by'), path).toBeNull();
  }
});
