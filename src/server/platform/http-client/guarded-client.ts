import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Logger } from 'pino';
import { addressRanges } from './address-ranges.ts';
import { createHttpClient, type HttpClient, type OutgoingRequest } from './http-client.ts';
import { NetworkError } from './network-error.ts';

/** What may be called among the addresses of one service. */
export interface AddressRules {
  /** Whether a host belongs to the service, in lower case. Any public host does without it. */
  isOwnHost?(host: string): boolean;
  /**
   * Hosts that the operator names: they are called although they are private, on any port and without
   * TLS too.
   */
  privateHosts?: readonly string[];
  /**
   * Ranges that the operator names, in CIDR notation: a host is called in the same way when all of its
   * addresses lie in them.
   */
  privateRanges?: readonly string[];
}

/** A client that calls no host but those that the rules allow. */
export type OpenGuardedClient = (rules: AddressRules) => GuardedClient;

export interface GuardedClient extends HttpClient {
  /** Whether an address may be called, by its text alone: before its name is looked up. */
  allows(url: URL): boolean;
}

interface GuardOptions {
  log: Logger;
  /**
   * In a demonstration and in tests, the exact origins of the stand-ins: they alone are called then.
   * No variable sets it.
   */
  standinOrigins?: readonly string[] | undefined;
  /** How names become addresses; the system's way by default. */
  lookup?: typeof dns.lookup;
}

/**
 * Clients for addresses that people paste. A name is checked when its socket is opened, so the address
 * that was checked is the one that is called; `connect.blockList` of undici is ignored for https. An
 * address that is refused looks like one that does not answer: `NetworkError`, before the request.
 */
export function createGuard(options: GuardOptions): {
  open: OpenGuardedClient;
  close(): Promise<void>;
} {
  const clients: HttpClient[] = [];
  const trusted = openClient();
  const guarded = openClient(isPublic);
  const standins = options.standinOrigins && new Set(options.standinOrigins);
  return {
    open(rules) {
      const clientFor = standins
        ? ({ origin }: URL) => (standins.has(origin) ? trusted : null)
        : clientsFor(rules);
      return {
        allows: (url) => clientFor(url) !== null,
        request(request) {
          const url = new URL(request.url);
          const client = clientFor(url);
          if (client) return client.request(limited(request));
          return Promise.reject(new NetworkError('blocked', 'before', url.origin));
        },
        // They share their connections, which end with the guard.
        close: async () => {},
      };
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };

  /** A client keeps its connections, so each way of checking the addresses of names has one of its own. */
  function openClient(...checks: AddressCheck[]): HttpClient {
    const lookup = checks.length > 0 ? { lookup: guardedLookup(checks, options.lookup) } : {};
    const client = createHttpClient({
      ...{ log: options.log, connections: connectionsPerHost, maxOrigins: 64 },
      ...lookup,
    });
    clients.push(client);
    return client;
  }

  /** Which client calls an address; null for one that may not be called. */
  function clientsFor(rules: AddressRules): (url: URL) => HttpClient | null {
    const { isOwnHost = () => true, privateHosts = [], privateRanges = [] } = rules;
    const ranges = addressRanges(privateRanges);
    const hasRanges = privateRanges.length > 0;
    const inRanges = hasRanges ? openClient(ranges.contain) : null;
    const publicOrInRanges = hasRanges ? openClient(isPublic, ranges.contain) : guarded;
    return (url) => {
      const { hostname } = url;
      if (privateHosts.includes(hostname)) return trusted;
      const literal = ipLiteralOf(url);
      // Node.js looks up no address that stands there itself.
      if (literal) return isOfWeb(url) && ranges.contain(literal) ? inRanges : null;
      if (!isOfWeb(url) || !isOwnHost(hostname)) return null;
      return isPublicAddress(url) ? publicOrInRanges : inRanges;
    };
  }
}

type AddressCheck = (address: string) => boolean;

/** All companies of a chat may share one host, and their messages one minute. */
const connectionsPerHost = 100;

/** Of an answer, unless a request says that it expects a long one. */
const usualBytes = 64 * 1024;
const mostBytes = 1024 * 1024;
const longestMs = 10_000;

function limited(request: OutgoingRequest): OutgoingRequest {
  return {
    ...request,
    timeoutMs: Math.min(request.timeoutMs, longestMs),
    maxBytes: Math.min(request.maxBytes ?? usualBytes, mostBytes),
  };
}

/**
 * Whether an address is public by its text alone: https on its usual port, a name of a public domain, no
 * user and no password. `URL` has written every form of an IPv4 address as four numbers by then.
 */
export function isPublicAddress(url: URL): boolean {
  const { protocol, port, hostname } = url;
  if (protocol !== 'https:' || port !== '' || !isOfWeb(url) || ipLiteralOf(url)) return false;
  return hostname.includes('.') && !hostname.endsWith('.') && !privateName.test(hostname);
}

/** http or https, with no user and no password. */
function isOfWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The address that a host is, without the brackets of IPv6; null for a name. */
function ipLiteralOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

const privateName = /\.(local|localhost|internal|lan|home|corp|intranet|arpa)$/;

/**
 * Refuses a name unless one of the checks accepts all of its addresses: one that has a public and a private
 * address is no accident.
 */
function guardedLookup(checks: AddressCheck[], lookup = dns.lookup): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const isAccepted = checks.some((check) => found.every(({ address }) => check(address)));
      const [first] = found;
      if (!isAccepted || !first) {
        return done(Object.assign(new Error('address not allowed'), { code: 'EBLOCKED' }), '', 0);
      }
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

function isPublic(address: string): boolean {
  return !notPublic.contain(address);
}

/**
 * Everything but public unicast: the special-purpose registries of IANA (RFC 6890), multicast, reserved
 * ranges, and the older ways to write an IPv4 address as one of IPv6 (RFC 4291 §2.5.5.1, RFC 2765).
 */
const notPublic = addressRanges(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48
  100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10
  ff00::/8`.split(/\s+/),
);
