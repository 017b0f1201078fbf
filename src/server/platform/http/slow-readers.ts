import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface SlowReaderLimits {
  /** A connection is cut when nothing of its answer was taken for so long; twice as late at most. */
  patienceMs: number;
  /** The most bytes that may wait in all connections together; beyond, those with the most are cut. */
  maxBytes: number;
  /** The most requests that may be sent ahead of an answer on one connection. */
  maxAhead: number;
}

const defaultLimits: SlowReaderLimits = {
  patienceMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
  maxAhead: 16,
};

/** The error of a connection that was cut because its client does not read. */
export class SlowReaderError extends Error {
  override name = 'SlowReaderError';
}

/**
 * Bounds the memory that answers wait in. Every connection is answered one request at a time, so that
 * one client cannot have a thousand answers made by sending its requests at once; connections whose
 * client does not read are cut. Give the returned function every handler of the server.
 */
export function limitSlowReaders(
  server: Server,
  limits: SlowReaderLimits = defaultLimits,
): (handler: Handler) => Handler {
  /** The connections with an unfinished answer, and what was sent ahead on each. */
  const busy = new Map<Socket, (() => void)[]>();
  const proceed = (socket: Socket): void => {
    const next = socket.destroyed ? undefined : busy.get(socket)?.shift();
    if (next) next();
    else busy.delete(socket);
  };
  server.setTimeout(limits.patienceMs, (socket) => {
    if (!busy.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) socket.destroy(new SlowReaderError());
  });
  const sweeping = setInterval(() => cutLargest(busy.keys(), limits.maxBytes), sweepMs).unref();
  server.once('close', () => clearInterval(sweeping));
  return (handler) => (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const answer = (): void => {
      response.once('close', () => proceed(socket));
      handler(request, response);
    };
    const ahead = busy.get(socket);
    if (!ahead) {
      busy.set(socket, []);
      answer();
    } else if (ahead.length < limits.maxAhead) ahead.push(answer);
    else socket.destroy(new SlowReaderError());
  };
}

const sweepMs = 250;

/** The largest first: of a client that reads, less and less is waiting. */
function cutLargest(connections: Iterable<Socket>, maxBytes: number): void {
  const waiting = [...connections]
    .filter(({ writableLength }) => writableLength > 0)
    .sort((one, other) => other.writableLength - one.writableLength);
  let bytes = waiting.reduce((sum, { writableLength }) => sum + writableLength, 0);
  for (const socket of waiting) {
    if (bytes <= maxBytes) return;
    bytes -= socket.writableLength;
    socket.destroy(new SlowReaderError());
  }
}
