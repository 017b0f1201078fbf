import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atMost } from '../at-most.ts';
import { ConfigurationFaults } from '../configuration/configuration.ts';
import { hasErrorCode } from '../error-code.ts';
import type { Platform } from '../platform.ts';
import { httpErrors } from './api-error.ts';
import { type Handler, limitSlowReaders, type SlowReaderLimits } from './slow-readers.ts';
import { limitSlowSenders } from './slow-senders.ts';

interface TimeLimits {
  headMs: number;
  /** From the head on, and longer by what has come since, at so many bytes a second. */
  bodyMs: number;
  bytesPerSecond: number;
}

/** The listening socket. It is opened first and answers 503 until the application has started. */
export interface Listener {
  port: number;
  /** Sends every request to `handler`, except those for health and metrics. */
  handOver(handler: Handler): void;
  /** `probe` tells whether the database answers. */
  becomeReady(probe: () => Promise<boolean>): void;
  /** Sends requests for `/metrics` to `handler`, in every role. */
  showMetrics(handler: Handler): void;
  /** Accepts no new connection; closes idle ones, and after `patienceMs` all of them. */
  close(patienceMs: number): Promise<void>;
}

/**
 * Rejects with EADDRINUSE when the port is in use, and with `ConfigurationFaults` when this machine does not
 * let the program listen there. A request whose headers or body do not arrive in time ends in
 * 408, so that a client that sends a byte a minute keeps no connection open. A client that does not
 * read its answers keeps none open either.
 */
export async function openListener(
  address: { host: string; port: number },
  deps: Pick<Platform, 'log' | 'randomness'>,
  timeLimits: TimeLimits = { headMs: 10_000, bodyMs: 30_000, bytesPerSecond: 30_000 },
  unreadLimits?: SlowReaderLimits,
): Promise<Listener> {
  const notReady: Handler = (_request, response) => answerNotReady(deps, response);
  let handler = notReady;
  let metrics = notReady;
  let probe = async (): Promise<boolean> => false;
  const checkMs = Math.min(1000, timeLimits.headMs);
  const limits = {
    headersTimeout: timeLimits.headMs,
    // It knows one time for bodies of every length: `limitSlowSenders` ends those.
    requestTimeout: 0,
    // Longer than a proxy keeps an idle connection, which otherwise might reuse one that just closed.
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: checkMs,
  };
  const server = createServer(limits);
  const { bodyMs: patienceMs, bytesPerSecond } = timeLimits;
  limitSlowSenders(server, { patienceMs, bytesPerSecond, checkMs });
  const bounded = limitSlowReaders(server, unreadLimits);
  const answerAny = bounded((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/healthz') return answer(response, 200, { status: 'ok' });
    if (path === '/readyz') return void answerReadiness(response, probe);
    if (path === '/metrics') return metrics(request, response);
    handler(request, response);
  });
  server.on('request', answerAny);
  await listen(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    handOver: (next) => {
      handler = next;
    },
    becomeReady: (next) => {
      probe = next;
    },
    showMetrics: (next) => {
      metrics = next;
    },
    close: (patienceMs) => close(server, patienceMs),
  };
}

function answerNotReady(
  { log, randomness }: Pick<Platform, 'log' | 'randomness'>,
  response: ServerResponse,
): void {
  const requestId = randomness.uuid();
  log.warn({ requestId, code: httpErrors.Not_Ready.code }, 'refused without an application');
  response.setHeader('retry-after', '1');
  answer(response, 503, { ...httpErrors.Not_Ready, requestId });
}

async function answerReadiness(
  response: ServerResponse,
  probe: () => Promise<boolean>,
): Promise<void> {
  const ready = await atMost(
    probeMs,
    probe().catch(() => false),
    false,
  );
  answer(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
}

/** Health checks give up after a few seconds; a connection to the database may take longer to fail. */
const probeMs = 3000;

function answer(response: ServerResponse, statusCode: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(statusCode, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

async function listen(server: Server, address: { host: string; port: number }): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(address, done);
    });
  } catch (error) {
    const fault = addressFault(error, address);
    throw fault ? new ConfigurationFaults([fault]) : error;
  }
}

/** Told here: further on, a name that is not found could be that of the database as well. */
function addressFault(
  error: unknown,
  { host, port }: { host: string; port: number },
): string | null {
  if (hasErrorCode(error, ...notOfThisMachine)) {
    return `HOST (${host}) n'est pas une adresse de cette machine. Donnez 127.0.0.1 pour elle seule, 0.0.0.0 pour toutes ses adresses.`;
  }
  if (hasErrorCode(error, 'EACCES')) {
    return `PORT (${port}) demande des droits que ce compte n'a pas. Choisissez un port à partir de 1024, avec un proxy devant, ou donnez au programme la capacité CAP_NET_BIND_SERVICE.`;
  }
  return null;
}

/** The last two are of IPv6: an address of a link without its interface, and a machine without IPv6. */
const notOfThisMachine = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT'];

async function close(server: Server, patienceMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), patienceMs);
  // A connection that becomes idle after this point would stay open until its own timeout.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await new Promise((done) => server.close(done));
  clearInterval(sweep);
  clearTimeout(deadline);
}
