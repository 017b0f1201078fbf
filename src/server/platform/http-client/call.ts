import type { Dispatcher } from 'undici';
import type { IncomingAnswer, OutgoingRequest } from './http-client.ts';
import { NetworkError, networkErrorOf } from './network-error.ts';

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
