import type { Logger } from 'pino';
import { Pool } from 'undici';
import { Call } from './call.ts';
import { NetworkError } from './network-error.ts';

/** The one way out of the program. Every call has a time limit and a body limit. */
export interface HttpClient {
  /**
   * One request, one whole answer, whatever its status: redirects are answers like any other.
   * Throws `NetworkError`, and nothing else unless the request itself cannot be written.
   */
  request(request: OutgoingRequest): Promise<IncomingAnswer>;
  /** Ends every connection; what is under way fails as `aborted`. */
  close(): Promise<void>;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** For all of it: a free connection, the connecting, the headers and the body. */
  timeoutMs: number;
  /** Bytes of the answer's body, 1 MiB unless told. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface IncomingAnswer {
  status: number;
  /** Names in lower case; a repeated header is a list. */
  headers: Record<string, string | string[] | undefined>;
  /** UTF-8. */
  body: string;
}

interface DoorOptions {
  log: Logger;
  /** At most this many sockets per origin; further calls wait for one within their time limit. */
  connections?: number;
  /** Of a socket, within the call's own limit. */
  connectTimeoutMs?: number;
  /** Origins kept at once; the one unused for longest is closed first. */
  maxOrigins?: number;
}

export function createHttpClient(options: DoorOptions): HttpClient {
  const pools = new Map<string, Pool>();
  let closed = false;
  return {
    async request(request) {
      const url = new URL(request.url);
      if (closed) throw new NetworkError('aborted', 'before', url.origin);
      const pool = poolOf(pools, url.origin, options);
      try {
        return await send(pool, url, request);
      } catch (error) {
        if (error instanceof NetworkError) {
          options.log.debug(
            { origin: url.origin, kind: error.kind, phase: error.phase },
            'no answer',
          );
        }
        throw error;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** The map's order is the order of last use: the first entry is the one to let go. */
function poolOf(pools: Map<string, Pool>, origin: string, options: DoorOptions): Pool {
  const known = pools.get(origin);
  if (known) {
    if (pools.size > 1) pools.delete(origin);
    pools.set(origin, known);
    return known;
  }
  const oldest =
    pools.size >= (options.maxOrigins ?? 16) ? pools.entries().next().value : undefined;
  if (oldest) {
    pools.delete(oldest[0]);
    // Waits for what is under way there; nothing new reaches it.
    void oldest[1].close();
  }
  const pool = openPool(origin, options);
  pools.set(origin, pool);
  return pool;
}

function openPool(origin: string, options: DoorOptions): Pool {
  return new Pool(origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    // One request per socket at a time keeps "was it written?" a plain question.
    allowH2: false,
    connect: { timeout: options.connectTimeoutMs ?? 5_000 },
    // The call's own timer covers both, at a fraction of the cost.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function send(pool: Pool, url: URL, request: OutgoingRequest): Promise<IncomingAnswer> {
  return new Promise((resolve, reject) => {
    const call = new Call(url.origin, request, resolve, reject);
    pool.dispatch(
      {
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers ?? null,
        body: request.body ?? null,
      },
      call,
    );
  });
}
