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
    ff02::1 2002:7f00:1:: 2001:db8::1 ::10.1.2.3 ::ffff:0:10.1.2.3 3fff::1 5f00::1`.split(/\s+/),
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

  test('is called for many at the same time: one host may be that of all companies', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await startServer((_request, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 50) for (const answer of waiting) answer();
    });
    const client = openGuard().open({ privateHosts: ['127.0.0.1'] });
    const call = () => client.request({ method: 'GET', url, timeoutMs: 10_000 });
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
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

describe('a range of addresses that the operator names', () => {
  const loopback = { privateRanges: ['127.0.0.0/8', '::1/128'] };
  const network = { privateRanges: ['10.0.0.0/8', 'fd00::/8'] };

  test('opens the hosts in it, by name and by address, without TLS and on any port', async () => {
    const { port, url } = await startServer((_request, response) => response.end('ok'));
    expect(await endOf(url, { rules: loopback })).toBe('answered 200');
    for (const host of ['chat.lan', 'chat', 'chat.exemple.fr']) {
      const given = { rules: loopback, found: v4('127.0.0.1') };
      expect(await endOf(`http://${host}:${port}/a`, given)).toBe('answered 200');
    }
    const both = [...v4('127.0.0.1'), ...v6('::1')];
    const given = { rules: loopback, found: both };
    expect(await endOf(`http://chat.lan:${port}/a`, given)).toBe('answered 200');
    const one = { privateRanges: ['127.0.0.1/32'] };
    expect(await endOf(url, { rules: one })).toBe('answered 200');
    expect(await endOf(`http://chat.lan:${port}/a`, { rules: one, found: both })).toBe(
      'blocked before',
    );
  });

  test('lets a name of a public form lead there, over TLS', async () => {
    const { port } = await startServer((_request, response) => response.end('ok'));
    const given = { rules: loopback, found: v4('127.0.0.1') };
    // The server speaks no TLS: the connection was opened.
    expect(await endOf(`https://chat.exemple.fr:${port}/a`, given)).toMatch(/^(tls|reset) before$/);
    expect(await endOf('https://chat.exemple.fr/a', given)).toMatch(/^(refused|tls|reset) before$/);
    expect(await endOf('https://chat.exemple.fr/a', { found: v4('127.0.0.1') })).toBe(
      'blocked before',
    );
  });

  test.each([
    ['a private address outside of it', v4('192.168.1.1')],
    ['this machine', v4('127.0.0.1')],
    ['this machine, by IPv6', v6('::1')],
    ['the metadata of a cloud', v4('169.254.169.254')],
    ['the same within IPv6', v6('::ffff:169.254.169.254')],
    ['an address in it and a private one outside', [...v4('10.1.2.3'), ...v4('192.168.1.1')]],
    ['an address in it and a public one', [...v4('10.1.2.3'), ...v4('93.184.216.34')]],
    ['an address in it and the metadata', [...v4('10.1.2.3'), ...v4('169.254.169.254')]],
    ['one of each family, the second outside', [...v4('10.1.2.3'), ...v6('fe80::1')]],
  ])('opens no name that leads to %s', async (_what, found) => {
    for (const url of ['https://chat.exemple.fr/a', 'http://chat.lan:8065/a', 'http://localhost/a'])
      expect(await endOf(url, { rules: network, found })).toBe('blocked before');
  });

  test('opens a public address to https at its usual port alone', async () => {
    const given = { rules: network, found: v4('93.184.216.34') };
    for (const url of ['http://chat.exemple.fr/a', 'https://chat.exemple.fr:8443/a'])
      expect(await endOf(url, given)).toBe('blocked before');
  });

  test('says of an address that stands there whether it may be called', () => {
    const allows = (rules: AddressRules, url: string) =>
      openGuard().open(rules).allows(new URL(url));
    for (const url of ['http://10.1.2.3:8065/a', 'https://0xa.1/a', 'http://[fd00::5]/a'])
      expect(allows(network, url)).toBe(true);
    for (const url of [
      ...['http://9.255.255.255/', 'http://11.0.0.0/', 'http://[fc00::5]/', 'http://127.0.0.1/'],
      ...['http://169.254.169.254/', 'http://[::ffff:169.254.169.254]/', 'https://8.8.8.8/'],
      ...['ftp://10.1.2.3/', 'http://ana@10.1.2.3/', 'http://ana:mot@chat.lan/'],
    ])
      expect(allows(network, url)).toBe(false);
    const metadata = { privateRanges: ['169.254.169.254/32'] };
    expect(allows(metadata, 'http://169.254.169.254/')).toBe(true);
    expect(allows(metadata, 'http://169.254.169.253/')).toBe(false);
    expect(allows(metadata, 'http://chat.lan:8065/')).toBe(true);
    expect(allows({}, 'http://chat.lan:8065/')).toBe(false);
  });

  test('opens nothing to services that name none', async () => {
    const { url, port } = await startServer((_request, response) => response.end('ok'));
    const guard = openGuard(v4('127.0.0.1'));
    const [named, other] = [guard.open(loopback), guard.open({})];
    const ask = (client: typeof named, address: string) =>
      client.request({ method: 'GET', url: address, timeoutMs: 2_000 });
    // The connections that the first one holds open are not the second one's.
    for (const address of [url, `http://chat.lan:${port}/`]) {
      expect((await ask(named, address)).status).toBe(200);
      await expect(ask(other, address)).rejects.toMatchObject({ kind: 'blocked' });
    }
  });
});

describe('in a demonstration', () => {
  test('the stand-ins are called, and nothing else', async () => {
    const { url, port } = await startServer((_request, response) => response.end('ok'));
    const given = { origins: [url], found: v4('93.184.216.34') };
    expect(await endOf(`${url}/hooks/a`, given)).toBe('answered 200');
    expect(await endOf(`http://localhost:${port}/hooks/a`, given)).toBe('blocked before');
    expect(await endOf('https://chat.exemple.fr/hooks/a', given)).toBe('blocked before');
    const rules = { privateHosts: ['127.0.0.1'], privateRanges: ['127.0.0.0/8'] };
    expect(await endOf(`${url}/hooks/a`, { rules, origins: [] })).toBe('blocked before');
  });
});
