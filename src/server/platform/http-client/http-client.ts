import type { Logger } from 'pino';
import { type Dispatcher, Pool } from 'undici';
import { monotonicMs } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { NetworkError, networkErrorOf } from './network-error.ts';

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

const defaultMaxBytes = 1024 * 1024;

/**
 * One request on its way. undici calls `onRequestStart` just before the first byte is written, on
 * a socket that is connected: until then nothing can have reached the peer.
 */
export class Call implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: IncomingAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status = 0;
  #headers: IncomingAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    origin: string,
    request: Pick<OutgoingRequest, 'timeoutMs' | 'maxBytes' | 'signal'>,
    resolve: (answer: IncomingAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#origin = origin;
    this.#maxBytes = request.maxBytes ?? defaultMaxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#stop('timeout'), request.timeoutMs);
    this.#signal = request.signal;
    this.#signal?.addEventListener('abort', this.#onAbort);
    if (this.#signal?.aborted) this.#stop('aborted');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for a socket: stopped here, it is never written.
    if (this.#settled) controller.abort(new NetworkError('aborted', 'before', this.#origin));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingAnswer['headers'],
  ): void {
    // An interim answer (100, 103) comes here too and is overwritten by the final one.
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
    this.#resolve({ status: this.#status, headers: this.#headers, body: body.toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settle()) this.#reject(networkErrorOf(error, this.#phase(), this.#origin));
  }

  readonly #onAbort = (): void => this.#stop('aborted');

  #stop(kind: 'timeout' | 'too-large' | 'aborted'): void {
    const error = new NetworkError(kind, this.#phase(), this.#origin);
    if (!this.#settle()) return;
    this.#reject(error);
    // Ends the socket: the rest of this answer must not be read as the next one's.
    this.#controller?.abort(error);
  }

  #phase(): 'before' | 'after' {
    return this.#controller ? 'after' : 'before';
  }

  /** True the first time: whoever settles a call also lets go of its timer and its signal. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

/** The same client for one service, whose calls are counted by how they end. */
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
