import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type AddressRules,
  createGuard,
  isPublicAddress,
} from '../../../src/server/platform/http-client/guarded-client.ts';
import { NetworkError } from '../../../src/server/platform/http-client/network-error.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Found = { address: string; family: number }[];

/** A guard for which every name has these addresses. */
function openGuard(found: Found = [], standinOrigins?: string[]) {
  const lookup = ((_host: string, _options: object, done: (...given: unknown[]) => void) =>
    done(null, found)) as never;
  const guard = createGuard({ log: pino({ level: 'silent' }), lookup, standinOrigins });
  closers.push(() => guard.close());
  return guard;
}

async function endOf(
  url: string,
  { rules = {}, found, origins }: { rules?: AddressRules; found?: Found; origins?: string[] } = {},
): Promise<string> {
  const client = openGuard(found, origins).open(rules);
  return await client.request({ method: 'GET', url, timeoutMs: 2_000 }).then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => {
      expect(error).toBeInstanceOf(NetworkError);
      const { kind, phase } = error as NetworkError;
      return `${kind} ${phase}`;
    },
  );
}

const v4 = (address: string) => [{ address, family: 4 }];
const v6 = (address: string) => [{ address, family: 6 }];

/** A server of this machine that counts what reached it. */
async function startServer(
  listener: Parameters<typeof createServer>[1],
): Promise<{ port: number; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

describe('the letters of an address', () => {
  test.each([
    ['http://chat.exemple.fr/hooks/a', 'no TLS'],
    ['https://chat.exemple.fr:8443/hooks/a', 'another port'],
    ['https://ana@chat.exemple.fr/hooks/a', 'a user'],
    ['https://127.0.0.1/hooks/a', 'an address of IPv4'],
    ['https://2130706433/hooks/a', 'the same as one number'],
    ['https://0x7f.1/hooks/a', 'the same in hexadecimal'],
    ['https://0177.0.0.1/hooks/a', 'the same in octal'],
    ['https://8.8.8.8/hooks/a', 'a public address of IPv4'],
    ['https://[::1]/hooks/a', 'an address of IPv6'],
    ['https://[::ffff:10.0.0.1]/hooks/a', 'one of IPv4 within IPv6'],
    ['https://localhost/hooks/a', 'this machine'],
    ['https://chat/hooks/a', 'a single label'],
    ['https://chat.local/hooks/a', 'a name of the local network'],
    ['https://metadata.google.internal/hooks/a', 'a name of a cloud'],
    ['https://chat.exemple.fr./hooks/a', 'a dot at the end'],
  ])('%s is refused: %s', async (url) => {
    expect(isPublicAddress(new URL(url))).toBe(false);
    expect(await endOf(url, { found: v4('93.184.216.34') })).toBe('blocked before');
  });

  test('a public name on the usual port passes, in any writing', () => {
    for (const url of [
      'https://Chat.Exemple.fr/hooks/a',
      'https://chat.exemple.fr:443/',
      'https://é.fr',
    ])
      expect(isPublicAddress(new URL(url))).toBe(true);
  });

  test('a host of another service is refused where the service has its own', async () => {
    const rules = { isOwnHost: (host: string) => host.endsWith('.exemple.fr') };
    expect(await endOf('https://chat.exemple.org/a', { rules, found: v4('1.1.1.1') })).toBe(
      'blocked before',
    );
  });
});

describe('the addresses behind a name, when its socket is opened', () => {
  test.each(
    `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1
    192.0.0.8 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 255.255.255.255`.split(/\s+/),
  )('%s is refused', async (address) => {
    expect(await endOf('https://chat.exemple.fr/a', { found: v4(address) })).toBe('blocked before');
  });

  test.each(
    `:: ::1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 fc00::1 fd00:ec2::254 fe80::1
    ff02::1 2002:7f00:1:: 2001:db8::1`.split(/\s+/),
  )('%s is refused', async (address) => {
    expect(await endOf('https://chat.exemple.fr/a', { found: v6(address) })).toBe('blocked before');
  });

  test('a name with one public and one private address is refused', async () => {
    const found = [...v4('93.184.216.34'), ...v4('10.0.0.1')];
    expect(await endOf('https://chat.exemple.fr/a', { found })).toBe('blocked before');
  });

  test('a TLS server of this machine is not spoken to', async () => {
    let connections = 0;
    const server = createTlsServer();
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(() => server.close());
    expect(await endOf('https://chat.exemple.fr/a', { found: v4('127.0.0.1') })).toBe(
      'blocked before',
    );
    expect(connections).toBe(0);
  });
});

describe('a host that the operator names', () => {
  test('is called although it is private, without TLS and on any port', async () => {
    const { url } = await startServer((_request, response) => response.end('ok'));
    expect(await endOf(url, { rules: { privateHosts: ['127.0.0.1'] } })).toBe('answered 200');
    expect(await endOf(url, { rules: { privateHosts: ['127.0.0.2'] } })).toBe('blocked before');
  });

  test('is answered for with little, in little time, and no redirect is followed', async () => {
    const paths: string[] = [];
    const { url } = await startServer((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/long') response.end('a'.repeat(64 * 1024 + 1));
      else response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const rules = { privateHosts: ['127.0.0.1'] };
    expect(await endOf(`${url}/long`, { rules })).toBe('too-large after');
    expect(await endOf(`${url}/moved`, { rules })).toBe('answered 302');
    expect(paths).toEqual(['/long', '/moved']);
  });
});

describe('in a demonstration', () => {
  test('the stand-ins are called, and nothing else', async () => {
    const { url, port } = await startServer((_request, response) => response.end('ok'));
    const given = { origins: [url], found: v4('93.184.216.34') };
    expect(await endOf(`${url}/hooks/a`, given)).toBe('answered 200');
    expect(await endOf(`http://localhost:${port}/hooks/a`, given)).toBe('blocked before');
    expect(await endOf('https://chat.exemple.fr/hooks/a', given)).toBe('blocked before');
    const rules = { privateHosts: ['127.0.0.1'] };
    expect(await endOf(`${url}/hooks/a`, { rules, origins: [] })).toBe('blocked before');
  });
});
