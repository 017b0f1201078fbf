import type { LookupFunction } from 'node:net';
import type { Logger } from 'pino';
import { type Dispatcher, Pool } from 'undici';
import { monotonicMs } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { NetworkError, networkErrorOf } from './network-error.ts';

/** Every request that the program sends goes through it, with a time limit and a body limit. */
export interface HttpClient {
  /**
   * Returns the complete answer, whatever its status; redirects are not followed. Throws
   * `NetworkError`, or another error when the request itself cannot be written.
   */
  request(request: OutgoingRequest): Promise<IncomingResponse>;
  /** Closes every connection; requests in flight fail as `aborted`. */
  close(): Promise<void>;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** For the whole request: waiting for a free connection, connecting, headers and body. */
  timeoutMs: number;
  /**
   * For waiting and connecting alone; `timeoutMs` then begins when the request is written. It is for posts,
   * of which it counts whether they were written: one that waited for long would have no time left for its
   * answer.
   */
  connectedWithinMs?: number;
  /** Most bytes of the answer's body; 1 MiB by default. */
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface IncomingResponse {
  status: number;
  /** Names in lower case; a repeated header is a list. */
  headers: Record<string, string | string[] | undefined>;
  /** Decoded as UTF-8. */
  body: string;
}

interface HttpClientOptions {
  log: Logger;
  /** Most sockets per origin; further calls wait for a free one within their time limit. */
  connections?: number;
  /** Most origins with open connections; the least recently used one is closed first. */
  maxOrigins?: number;
  /** How the names of hosts become addresses. */
  lookup?: LookupFunction;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const pools = new Map<string, Pool>();
  let closed = false;
  // A burst asks for one address again and again.
  let last: Address | null = null;
  return {
    async request(request) {
      if (last?.url !== request.url) last = addressOf(request.url);
      const address = last;
      const { origin } = address;
      if (closed) throw new NetworkError('aborted', 'before', origin);
      const pool = poolOf(pools, origin, options);
      try {
        return await send(pool, address, request);
      } catch (error) {
        if (error instanceof NetworkError) {
          options.log.debug({ origin, kind: error.kind, phase: error.phase }, 'no answer');
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

interface Address {
  url: string;
  origin: string;
  path: string;
}

function addressOf(url: string): Address {
  const { origin, pathname, search } = new URL(url);
  return { url, origin, path: pathname + search };
}

/** The map is in the order of last use: its first entry is the one to close. */
function poolOf(pools: Map<string, Pool>, origin: string, options: HttpClientOptions): Pool {
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
    // Waits for its requests in flight and accepts no new one.
    void oldest[1].close();
  }
  const pool = openPool(origin, options);
  pools.set(origin, pool);
  return pool;
}

function openPool(origin: string, options: HttpClientOptions): Pool {
  return new Pool(origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    // One request per socket at a time, so that it is known whether a request was written.
    allowH2: false,
    // Within the time limit of the call.
    connect: { timeout: 5_000, ...(options.lookup && { lookup: options.lookup }) },
    // The timer of the call covers both, at a fraction of the cost.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function send(
  pool: Pool,
  { origin, path }: Address,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const { method, headers = null, body = null } = request;
  const call = new Call(origin, request);
  pool.dispatch({ path, method, headers, body }, call);
  return call.answer;
}

const defaultMaxBytes = 1024 * 1024;

/**
 * One request in flight. undici calls `onRequestStart` just before it writes the first byte to a
 * connected socket: before that call, nothing has reached the peer.
 */
class Call implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #answer = Promise.withResolvers<IncomingResponse>();
  readonly #timeoutMs: number | null;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status = 0;
  #headers: IncomingResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(origin: string, request: OutgoingRequest) {
    const { timeoutMs, connectedWithinMs, maxBytes, signal } = request;
    this.#origin = origin;
    this.#maxBytes = maxBytes ?? defaultMaxBytes;
    this.#timeoutMs = connectedWithinMs === undefined ? null : timeoutMs;
    this.#timer = setTimeout(() => this.#stop('timeout'), connectedWithinMs ?? timeoutMs);
    this.#signal = signal;
    this.#signal?.addEventListener('abort', this.#onAbort);
    if (this.#signal?.aborted) this.#stop('aborted');
  }

  get answer(): Promise<IncomingResponse> {
    return this.#answer.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Ended while it waited for a socket: aborted here, it is never written.
    if (this.#settled) {
      controller.abort(new NetworkError('aborted', 'before', this.#origin));
      return;
    }
    this.#controller = controller;
    if (this.#timeoutMs === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop('timeout'), this.#timeoutMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingResponse['headers'],
  ): void {
    // Interim answers (100, 103) arrive here as well; the final one overwrites them.
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.#stop('too-large');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#stop('too-large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks);
    this.#answer.resolve({
      status: this.#status,
      headers: this.#headers,
      body: body.toString('utf8'),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settle()) this.#answer.reject(networkErrorOf(error, this.#phase(), this.#origin));
  }

  readonly #onAbort = (): void => this.#stop('aborted');

  #stop(kind: 'timeout' | 'too-large' | 'aborted'): void {
    const answered = kind === 'too-large' ? { status: this.#status } : {};
    const error = new NetworkError(kind, this.#phase(), this.#origin, answered);
    if (!this.#settle()) return;
    this.#answer.reject(error);
    // Closes the socket: the rest of this answer must not be read as the next one.
    this.#controller?.abort(error);
  }

  #phase(): 'before' | 'after' {
    return this.#controller ? 'after' : 'before';
  }

  /** True for the first caller, after the timer and the signal were released. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

/** The same client for one service, with metrics of its calls by their result. */
export function measuredHttpClient(
  httpClient: HttpClient,
  service: string,
  metrics: Metrics,
): HttpClient {
  return {
    async request(request) {
      const start = monotonicMs();
      const count = (result: string): void =>
        metrics.outsideCalled({ service, result, seconds: (monotonicMs() - start) / 1000 });
      try {
        const answer = await httpClient.request(request);
        count(`${Math.floor(answer.status / 100)}xx`);
        return answer;
      } catch (error) {
        count(error instanceof NetworkError ? error.kind : 'unwritable');
        throw error;
      }
    },
    close: () => httpClient.close(),
  };
}
