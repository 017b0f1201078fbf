import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import {
  createHttpClient,
  type HttpClient,
} from '../../../src/server/platform/http-client/http-client.ts';
import { NetworkError } from '../../../src/server/platform/http-client/network-error.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function openClient(options: { connections?: number; maxOrigins?: number } = {}): HttpClient {
  const httpClient = createHttpClient({ log: pino({ level: 'silent' }), ...options });
  closers.push(() => httpClient.close());
  return httpClient;
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = (listener: RequestListener) => listen(createHttpServer(listener));
const raw = (onSocket: (socket: Socket) => void) => listen(createServer(onSocket));

async function failure(promise: Promise<unknown>): Promise<{ kind: string; phase: string }> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NetworkError);
  const { kind, phase } = error as NetworkError;
  return { kind, phase };
}

const get = (url: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
  ({ method: 'GET', url, timeoutMs: 30_000, ...more }) as const;

test('an answer comes back whole, with its status, headers and text', async () => {
  const url = await http((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(418, { 'x-method': request.method, 'x-path': request.url });
      response.write('é');
      setImmediate(() => response.end(body));
    });
  });
  const answer = await openClient().request({
    method: 'POST',
    url: `${url}/a?b=c#d`,
    body: 'ça va',
    timeoutMs: 2_000,
  });
  expect(answer).toMatchObject({ status: 418, body: 'éça va' });
  expect(answer.headers).toMatchObject({ 'x-method': 'POST', 'x-path': '/a?b=c' });
});

test('a redirect is an answer and is not followed', async () => {
  const paths: string[] = [];
  const url = await http((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await openClient().request(get(`${url}/here`))).toMatchObject({ status: 302 });
  expect(paths).toEqual(['/here']);
});

test('a peer that is not there refused before anything was written', async () => {
  const url = await raw(() => {});
  await closers.pop()?.();
  expect(await failure(openClient().request(get(url)))).toEqual({
    kind: 'refused',
    phase: 'before',
  });
});

test('a name that does not exist fails before anything was written', async () => {
  const request = get('http://tirelire.invalid/', { timeoutMs: 10_000 });
  const { kind, phase } = await failure(openClient().request(request));
  expect(['dns', 'timeout']).toContain(kind);
  expect(phase).toBe('before');
});

test('a peer that does not speak TLS fails before anything was written', async () => {
  const url = await raw((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n'));
  const request = get(url.replace('http:', 'https:'));
  expect(await failure(openClient().request(request))).toEqual({ kind: 'tls', phase: 'before' });
});

test('a peer that reads and hangs up may have carried the request out', async () => {
  const url = await raw((socket) => socket.once('data', () => socket.destroy()));
  expect(await failure(openClient().request(get(url)))).toEqual({ kind: 'reset', phase: 'after' });
});

test('an answer that is cut in its body is no answer', async () => {
  const url = await raw((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')),
  );
  expect(await failure(openClient().request(get(url)))).toEqual({ kind: 'reset', phase: 'after' });
});

test('an answer that is not HTTP is no answer', async () => {
  const url = await raw((socket) => socket.once('data', () => socket.end('good morning\r\n\r\n')));
  expect(await failure(openClient().request(get(url)))).toEqual({ kind: 'reset', phase: 'after' });
});

test.for([
  ['headers', ''],
  ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
] as const)('a peer that stalls before %s meets the time limit', async ([, bytes]) => {
  const url = await raw((socket) => socket.once('data', () => socket.write(bytes)));
  const request = get(url, { timeoutMs: 80 });
  expect(await failure(openClient().request(request))).toEqual({ kind: 'timeout', phase: 'after' });
});

test('a call that gives up while waiting for a free connection is never written', async () => {
  const seen: string[] = [];
  let release: (() => void) | undefined;
  const url = await http((request, response) => {
    seen.push(request.url ?? '');
    release = () => response.end('late');
  });
  const httpClient = openClient({ connections: 1 });
  const first = httpClient.request(get(`${url}/first`));
  expect(await failure(httpClient.request(get(`${url}/second`, { timeoutMs: 60 })))).toEqual({
    kind: 'timeout',
    phase: 'before',
  });
  release?.();
  expect(await first).toMatchObject({ body: 'late' });
  const third = httpClient.request(get(`${url}/third`));
  await expect.poll(() => seen).toEqual(['/first', '/third']);
  release?.();
  expect(await third).toMatchObject({ status: 200 });
});

test.for([true, false])('a body over the limit is cut (announced: %s)', async (announced) => {
  const url = await http((_request, response) => {
    if (announced) response.setHeader('content-length', 5_000);
    response.write('x'.repeat(2_500));
    response.end('x'.repeat(2_500));
  });
  const httpClient = openClient();
  expect(await failure(httpClient.request(get(url, { maxBytes: 4_999 })))).toEqual({
    kind: 'too-large',
    phase: 'after',
  });
  expect((await httpClient.request(get(url, { maxBytes: 5_000 }))).body).toHaveLength(5_000);
});

test('the time for an answer begins when the request is written, where the wait has its own', async () => {
  const written: (string | undefined)[] = [];
  const url = await http((request, response) => {
    written.push(request.url);
    setTimeout(() => response.end(), 300);
  });
  const httpClient = openClient({ connections: 1 });
  const call = (path: string, connectedWithinMs: number) =>
    httpClient.request({ ...get(url + path, { timeoutMs: 500 }), connectedWithinMs });
  const [first, second, third] = [call('/1', 10_000), call('/2', 10_000), call('/3', 100)];
  expect(await failure(third)).toEqual({ kind: 'timeout', phase: 'before' });
  expect((await first).status).toBe(200);
  // Its wait and its answer take 600 ms together.
  expect((await second).status).toBe(200);
  expect(written).toEqual(['/1', '/2']);
  const late = httpClient.request({ ...get(url, { timeoutMs: 100 }), connectedWithinMs: 10_000 });
  expect(await failure(late)).toEqual({ kind: 'timeout', phase: 'after' });
});

test('a signal stops a call', async () => {
  const url = await raw(() => {});
  const controller = new AbortController();
  const call = failure(openClient().request({ ...get(url), signal: controller.signal }));
  controller.abort();
  expect((await call).kind).toBe('aborted');
});

test('closing the httpClient ends what is under way and refuses what comes after', async () => {
  let received: (() => void) | undefined;
  const arrival = new Promise<void>((resolve) => {
    received = resolve;
  });
  const url = await http(() => received?.());
  const httpClient = openClient();
  const call = failure(httpClient.request(get(url)));
  await arrival;
  await httpClient.close();
  expect(await call).toEqual({ kind: 'aborted', phase: 'after' });
  expect(await failure(httpClient.request(get(url)))).toEqual({ kind: 'aborted', phase: 'before' });
});

test('connections are reused and stay within their number', async () => {
  const sockets = new Set<Socket>();
  const url = await http((request, response) => {
    sockets.add(request.socket);
    response.end('ok');
  });
  const httpClient = openClient({ connections: 5 });
  await Promise.all(Array.from({ length: 200 }, () => httpClient.request(get(url))));
  expect(sockets.size).toBeLessThanOrEqual(5);
});

test('the origin unused for longest is closed when there are too many, after its calls', async () => {
  const ended: string[] = [];
  const serve = (name: string) =>
    http((request, response) => {
      request.socket.once('close', () => ended.push(name));
      setTimeout(() => response.end(name), name === 'a' ? 60 : 0);
    });
  const [a, b, c] = [await serve('a'), await serve('b'), await serve('c')];
  const httpClient = openClient({ maxOrigins: 2 });
  const slow = httpClient.request(get(a));
  await httpClient.request(get(b));
  await httpClient.request(get(c));
  expect(await slow).toMatchObject({ body: 'a' });
  await expect.poll(() => ended).toEqual(['a']);
});
