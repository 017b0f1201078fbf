import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { monotonicMs } from '../clock.ts';

export interface SlowSenderLimits {
  /** How long a body may take, however little of it comes. */
  patienceMs: number;
  /** What must have come for each further second. */
  bytesPerSecond: number;
  checkMs: number;
}

/**
 * Ends a request in 408 whose body comes too slowly. A large file over a slow line has the time that it
 * needs, and a client that sends a byte a minute keeps no connection open.
 */
export function limitSlowSenders(
  server: Server,
  { patienceMs, bytesPerSecond, checkMs }: SlowSenderLimits,
): void {
  const receiving = new Map<IncomingMessage, { response: ServerResponse; isLate(): boolean }>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    if (!('content-length' in headers || 'transfer-encoding' in headers)) return;
    const watch = () => {
      const since = monotonicMs();
      const before = socket.bytesRead;
      const isLate = () => {
        const neededMs = ((socket.bytesRead - before) / bytesPerSecond) * 1000;
        return monotonicMs() - since > patienceMs + neededMs;
      };
      receiving.set(request, { response, isLate });
    };
    // A body behind an earlier answer is not read before its own answer is given the connection.
    if (response.socket) watch();
    else response.once('socket', watch);
  });
  const checking = setInterval(() => {
    for (const [request, { response, isLate }] of receiving) {
      const isOver = request.complete || request.socket.destroyed;
      if (!isOver && !isLate()) continue;
      receiving.delete(request);
      if (!isOver) end(request, response);
    }
  }, checkMs).unref();
  server.once('close', () => clearInterval(checking));
}

function end({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
