import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listener, openListener } from '../../src/server/platform/http/listener.ts';
import { SlowReaderCounts } from '../../src/server/platform/http/slow-reader-counts.ts';
import { unlogged } from '../support/unlogged.ts';

const mebibyte = 1024 * 1024;
const limits = { patienceMs: 150, maxBytes: 96 * mebibyte, maxAhead: 4 };

let listener: Listener;
let sockets: Socket[];
/** How often the application was asked for an answer, and how many ended unread. */
let begun: number;
let cut: number;
beforeEach(async () => {
  [sockets, begun, cut] = [[], 0, 0];
  listener = await openListener({ host: '127.0.0.1', port: 0 }, unlogged, undefined, limits);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listener.close(0);
});

/** Every answer is larger than what the system takes for a client that does not read. */
function answerWith(bytes: number): void {
  const body = Buffer.alloc(bytes);
  listener.handOver((request, response) => {
    begun += 1;
    response.once('close', () => {
      cut += request.socket.errored?.name === 'SlowReaderError' ? 1 : 0;
    });
    response.end(body);
  });
}

const request = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';

function open(sent: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: listener.port });
  socket.on('error', () => {});
  socket.pause();
  socket.write(sent);
  sockets.push(socket);
  return socket;
}

test('an answer of which nothing is read is cut', async () => {
  answerWith(32 * mebibyte);
  const silent = open(request);
  await expect.poll(() => cut, { timeout: 10_000 }).toBe(1);
  silent.resume();
  await expect.poll(() => silent.closed).toBe(true);
});

test('an answer that takes long to make is not cut before there is anything to read', async () => {
  listener.handOver((_request, response) => {
    setTimeout(() => response.end('made'), 3 * limits.patienceMs);
  });
  const answer = await fetch(`http://127.0.0.1:${listener.port}/slow`);
  expect(await answer.text()).toBe('made');
});

test('requests sent ahead are answered one after the other, and not too many of them', async () => {
  answerWith(32 * mebibyte);
  open(request.repeat(1 + limits.maxAhead));
  await expect.poll(() => cut, { timeout: 10_000 }).toBe(1);
  expect(begun).toBe(1);
  open(request.repeat(50));
  await expect.poll(() => cut, { timeout: 10_000 }).toBe(2);
  expect(begun).toBe(2);
});

test('requests sent ahead by somebody who reads are all answered, in their order', async () => {
  let count = 0;
  listener.handOver((_request, response) => {
    count += 1;
    response.end(`answer ${count};`);
  });
  const socket = open(request.repeat(1 + limits.maxAhead));
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.resume();
  await expect.poll(() => heard.match(/answer \d/g)).toHaveLength(5);
  expect(heard.match(/answer \d/g)?.join()).toBe('answer 1,answer 2,answer 3,answer 4,answer 5');
});

test('what waits in all connections together is bounded, and who reads is served', async () => {
  // Nothing is cut for its age here.
  await listener.close(0);
  const patient = { ...limits, patienceMs: 600_000 };
  listener = await openListener({ host: '127.0.0.1', port: 0 }, unlogged, undefined, patient);
  answerWith(16 * mebibyte);
  for (let count = 0; count < 80; count += 1) open(request);
  await expect.poll(() => begun, { timeout: 30_000 }).toBe(80);
  await expect.poll(() => cut, { timeout: 30_000 }).toBeGreaterThanOrEqual(80 - 6);
  const answer = await fetch(`http://127.0.0.1:${listener.port}/large`);
  expect((await answer.arrayBuffer()).byteLength).toBe(16 * mebibyte);
});

test('the largest are cut first, and not a smaller one that waits for longer', async () => {
  await listener.close(0);
  const patient = { ...limits, patienceMs: 600_000 };
  listener = await openListener({ host: '127.0.0.1', port: 0 }, unlogged, undefined, patient);
  answerWith(8 * mebibyte);
  const small = open(request);
  await expect.poll(() => begun).toBe(1);
  answerWith(32 * mebibyte);
  for (let count = 0; count < 4; count += 1) open(request);
  await expect.poll(() => cut, { timeout: 10_000 }).toBeGreaterThan(0);
  let bytes = 0;
  small.on('data', (chunk) => {
    bytes += chunk.length;
  });
  small.resume();
  await expect.poll(() => bytes, { timeout: 10_000 }).toBeGreaterThan(8 * mebibyte);
});

test('an address that leaves many answers unread is refused for a while', () => {
  let now = 0;
  const counts = new SlowReaderCounts(() => now);
  for (let count = 0; count < 20; count += 1) counts.add('203.0.113.7');
  expect(counts.secondsLeft('203.0.113.7')).toBe(0);
  const delays = Array.from({ length: 9 }, () => {
    counts.add('203.0.113.7');
    return counts.secondsLeft('203.0.113.7');
  });
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(counts.secondsLeft('203.0.113.8')).toBe(0);
  now += 60_000;
  expect(counts.secondsLeft('203.0.113.7')).toBe(0);
  now += 3_600_000;
  counts.add('203.0.113.7');
  expect(counts.secondsLeft('203.0.113.7')).toBe(0);
});
