import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pageRoutes } from '../../src/server/app/pages.ts';
import { nearestProxies } from '../../src/server/platform/http/security.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';

const script = 'export const text = "compte";\n'.repeat(100);
let folder: string;
let app: FastifyInstance;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirelire-pages-'));
  mkdirSync(join(folder, 'assets'));
  const asset = join(folder, 'assets/main-a1b2c3.js');
  writeFileSync(asset, script);
  writeFileSync(`${asset}.br`, brotliCompressSync(script));
  writeFileSync(`${asset}.gz`, gzipSync(script));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta name="tirelire" data-api-url="/api" data-demo="" data-operator=""><div id="root"></div>',
  );
});

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => app.close());

async function open(environment: Record<string, string> = {}, demoUrl: string | null = null) {
  const configuration = { ...readConfiguration(environment, 'start', folder), demoUrl };
  app = Fastify({ trustProxy: nearestProxies(configuration.trustProxy) });
  await app.register(pageRoutes({ configuration }, folder));
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({
      method,
      url,
      headers: { host: new URL(configuration.publicUrl).host, ...headers },
    });
}

describe('the page', () => {
  test.each(['/', '/login', '/signup', '/cgu', '/?token=x', '/anything/else'])(
    'stands under %s, never kept without asking',
    async (url) => {
      const get = await open();
      const answer = await get(url);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.body).toContain('id="root"');
    },
  );

  test('carries the address of the API and of the demonstration, made harmless', async () => {
    const get = await open({ API_URL: 'https://api.example.org/"x/' }, 'http://127.0.0.1:3001');
    const { body } = await get('/');
    expect(body).toContain('data-api-url="https://api.example.org/&quot;x"');
    expect(body).toContain('data-demo="http://127.0.0.1:3001"');
  });

  test('carries the name of who runs it', async () => {
    const get = await open({ OPERATOR_NAME: 'Cabinet "Lenoir" <Paris>' });
    expect((await get('/')).body).toContain(
      'data-operator="Cabinet &quot;Lenoir&quot; &lt;Paris&gt;"',
    );
  });

  test('asked under another host, leads to the public address with path and query', async () => {
    const get = await open({ PUBLIC_URL: 'https://tirelire.example.org' });
    const answer = await get('/login?next=%2F', { host: '127.0.0.1:3000' });
    expect(answer.statusCode).toBe(307);
    expect(answer.headers.location).toBe('https://tirelire.example.org/login?next=%2F');
  });

  test.each(['tirelire.example.org:443', 'Tirelire.Example.org'])(
    'stands under the public host as a proxy may write it: %s',
    async (host) => {
      const get = await open({ PUBLIC_URL: 'https://tirelire.example.org', TRUST_PROXY: '1' });
      expect((await get('/login', { host })).statusCode).toBe(200);
      expect((await get('/login', { 'x-forwarded-host': host })).statusCode).toBe(200);
    },
  );

  test.each(['tirelire.example.org:8443', 'tirelire.example.org:80', 'a b', ''])(
    'leads from the host "%s" to the public one',
    async (host) => {
      const get = await open({ PUBLIC_URL: 'https://tirelire.example.org' });
      expect((await get('/login', { host })).statusCode).toBe(307);
    },
  );

  test('leads to a public address with accents as browsers ask for it', async () => {
    const get = await open({ PUBLIC_URL: 'https://cœur.exemple.fr' });
    expect((await get('/login')).statusCode).toBe(200);
    const answer = await get('/login', { host: '127.0.0.1:3000' });
    expect(answer.statusCode).toBe(307);
    expect(answer.headers.location).toBe('https://xn--cur-fya.exemple.fr/login');
  });

  test.each(['//evil.example.org/', '/\\evil.example.org', '/@evil.example.org'])(
    'never leads to another site through %s',
    async (url) => {
      const get = await open({ PUBLIC_URL: 'https://tirelire.example.org' });
      const { location } = (await get(url, { host: 'evil.example.org' })).headers;
      if (location) expect(new URL(String(location)).host).toBe('tirelire.example.org');
    },
  );

  test('believes a proxy about the host only when told to', async () => {
    const headers = { host: '10.0.0.7:3000', 'x-forwarded-host': 'tirelire.example.org' };
    const PUBLIC_URL = 'https://tirelire.example.org';
    const doubting = await open({ PUBLIC_URL });
    expect((await doubting('/', headers)).statusCode).toBe(307);
    await app.close();
    const trusting = await open({ PUBLIC_URL, TRUST_PROXY: '1' });
    expect((await trusting('/', headers)).statusCode).toBe(200);
  });
});

describe('what the page may do', () => {
  test('is bound to its own origin, without inline script, in no frame', async () => {
    const get = await open();
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split(';')).toContain(rule);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  test('includes calls to an API of another origin when there is one', async () => {
    const get = await open({ API_URL: 'https://api.example.org/v1' });
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(policy.split(';')).toContain("connect-src 'self' https://api.example.org");
  });

  test('insists on https for later visits only where the public address has it', async () => {
    const plain = await open();
    expect((await plain('/')).headers).not.toHaveProperty('strict-transport-security');
    await app.close();
    const secure = await open({ PUBLIC_URL: 'https://tirelire.example.org' });
    expect((await secure('/')).headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });
});

describe('an asset', () => {
  const url = '/assets/main-a1b2c3.js';

  test('is kept for ever, because its name changes with its content', async () => {
    const get = await open();
    const answer = await get(url);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/javascript/);
    expect(answer.body).toBe(script);
  });

  test('travels as brotli to whoever takes it, else as gzip', async () => {
    const get = await open();
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotli.headers.vary).toMatch(/accept-encoding/i);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script);
    const gzip = await get(url, { 'accept-encoding': 'gzip, deflate' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(script);
  });

  test('is served under any host: only pages move', async () => {
    const get = await open({ PUBLIC_URL: 'https://tirelire.example.org' });
    expect((await get(url, { host: '127.0.0.1:3000' })).statusCode).toBe(200);
  });

  test.each([
    '/assets/old-000000.js',
    '/favicon.ico',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/index.html.br',
    '/api/unknown',
  ])('that does not exist is a 404: %s', async (missing) => {
    const get = await open();
    expect((await get(missing)).statusCode).toBe(404);
  });
});
