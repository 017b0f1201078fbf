import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SourceLink } from '../../../../src/server/providers/banks/connect.ts';
import { type Fixture, refusal, startFixture } from './fixture.ts';

let fixture: Fixture;
let server: Server;
let asked: string[];
let nameLength: number;
beforeAll(async () => {
  fixture = await startFixture();
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    asked.push(url.pathname);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(bodyOf(url)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await fixture.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

/** A page of 500 rows with another behind it, for ever. */
function bodyOf(url: URL): object {
  if (url.pathname.endsWith('/token')) return { access_token: 'x', expires_at: null };
  const from = Number(url.searchParams.get('after') ?? 0);
  const name = 'x'.repeat(nameLength);
  const resources = Array.from({ length: 500 }, (_, at) => ({ id: from + at + 1, name }));
  url.searchParams.set('after', String(from + 500));
  return { resources, pagination: { next_uri: url.pathname + url.search } };
}

const ana: SourceLink = {
  userId: 'ana',
  providerUserId: 'u',
  email: 'ana@exemple.fr',
  secret: null,
};

test.each([
  ['short rows', 1, 41],
  ['long rows', 2000, 9],
  ['rows of the usual length', 200, 41],
])('a list without end is given up after what can be held: %s', async (_what, length, pages) => {
  [asked, nameLength] = [[], length];
  const { port } = server.address() as AddressInfo;
  const source = fixture.another(`http://127.0.0.1:${port}`);
  expect((await refusal(source.read(ana, null, []))).kind).toBe('unavailable');
  expect(asked.filter((path) => path.endsWith('/items')).length).toBeLessThanOrEqual(pages);
});

test('a user is found among more than can be held, because the others are not', async () => {
  [asked, nameLength] = [[], 2000];
  const { port } = server.address() as AddressInfo;
  const { users } = fixture.another(`http://127.0.0.1:${port}`);
  const found = refusal(users?.remove({ userId: 'ana', providerUserId: null }) ?? fail());
  expect((await found).kind).toBe('unavailable');
  expect(asked).toHaveLength(200);
});

function fail(): never {
  throw new Error('no users');
}
