import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Front, openFront } from '../../src/server/platform/http/listener.ts';

let front: Front;
let url: string;

beforeEach(async () => {
  front = await openFront({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${front.port}`;
});
afterEach(() => front.close(0));

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
    expect(await answer.json()).toMatchObject({ code: 'Not_Ready' });
  });

  test('a second server on the same port fails at once', async () => {
    await expect(openFront({ host: '127.0.0.1', port: front.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('once it has started', () => {
  test('requests go to the application, health stays here', async () => {
    front.handOver((_request, response) => response.writeHead(204).end());
    front.becomeReady(async () => true);
    expect(await statusOf('/api/users/me')).toBe(204);
    expect(await statusOf('/healthz?deep=1')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
  });

  test('it is not ready while the database does not answer', async () => {
    front.becomeReady(() => Promise.reject(new Error('connection refused')));
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/healthz')).toBe(200);
  });

  test('closing waits for the answer that is on its way', async () => {
    const arrived = Promise.withResolvers<() => void>();
    front.handOver((_request, response) => arrived.resolve(() => response.end('done')));
    const answer = fetch(`${url}/slow`);
    const finish = await arrived.promise;
    const closed = front.close(10_000);
    finish();
    expect(await (await answer).text()).toBe('done');
    await closed;
  });
});
