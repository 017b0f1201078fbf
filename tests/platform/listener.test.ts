import { Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationFaults } from '../../src/server/platform/configuration/configuration.ts';
import { type Listener, openListener } from '../../src/server/platform/http/listener.ts';
import { createLog } from '../../src/server/platform/log.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';
import { unlogged } from '../support/unlogged.ts';

let listener: Listener;
let url: string;
let lines: object[];

beforeEach(async () => {
  lines = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  listener = await openListener(
    { host: '127.0.0.1', port: 0 },
    { log, randomness: systemRandomness },
  );
  url = `http://127.0.0.1:${listener.port}`;
});
afterEach(() => listener.close(0));

async function statusOf(path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

describe('while the server starts', () => {
  test('it is alive, but not ready', async () => {
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/readyz')).toBe(503);
  });

  test('people are asked to come back in a second', async () => {
    const answer = await fetch(`${url}/api/users/me`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    const { code, requestId } = await answer.json();
    expect(code).toBe('Not_Ready');
    expect(lines).toMatchObject([{ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), code }]);
    expect(lines).toMatchObject([{ requestId }]);
  });

  test('a second server on the same port fails at once', async () => {
    await expect(
      openListener({ host: '127.0.0.1', port: listener.port }, unlogged),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

async function faultsAt(host: string, port = 0): Promise<readonly string[]> {
  const failure = await openListener({ host, port }, unlogged).catch((error: unknown) => error);
  return failure instanceof ConfigurationFaults ? failure.faults : [];
}

describe('an operator whose address cannot be listened at', () => {
  test.for(['no-such-machine.invalid', '192.0.2.1', '[::1]'])(
    'is told of HOST=%s',
    async (host) => {
      expect(await faultsAt(host)).toEqual([expect.stringContaining(`HOST (${host}) n'est pas`)]);
    },
  );

  test('is told of a port that asks for more rights', async () => {
    // Which ports do depends on the system and on the account of the tests.
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      const refusal = new Error('listen EACCES: permission denied 127.0.0.1:80');
      queueMicrotask(() => this.emit('error', Object.assign(refusal, { code: 'EACCES' })));
      return this;
    });
    onTestFinished(() => listen.mockRestore());
    expect(await faultsAt('127.0.0.1', 80)).toEqual([expect.stringContaining('PORT (80) demande')]);
  });
});

describe('once it has started', () => {
  test('requests go to the application, health stays here', async () => {
    listener.handOver((_request, response) => response.writeHead(204).end());
    listener.becomeReady(async () => true);
    expect(await statusOf('/api/users/me')).toBe(204);
    expect(await statusOf('/healthz?deep=1')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
  });

  test('it is not ready while the database does not answer', async () => {
    listener.becomeReady(() => Promise.reject(new Error('connection refused')));
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/healthz')).toBe(200);
  });

  test('closing waits for the answer that is on its way', async () => {
    const arrived = Promise.withResolvers<() => void>();
    listener.handOver((_request, response) => arrived.resolve(() => response.end('done')));
    const answer = fetch(`${url}/slow`);
    const finish = await arrived.promise;
    const closed = listener.close(10_000);
    finish();
    expect(await (await answer).text()).toBe('done');
    await closed;
  });
});
