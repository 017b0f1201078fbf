import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Request, readRequest } from './request.ts';
import { type Answer, json, send } from './responses.ts';

export interface HttpServer {
  /** Without a trailing slash. */
  url: string;
  /** Breaks off the answers that stopped halfway. */
  breakStalled(): void;
  close(): Promise<void>;
}

/**
 * Serves a stand-in on this machine alone. `port` 0 takes a free one. `GET /healthz` is answered
 * here; a handler that throws breaks the connection off.
 */
export async function startHttpServer(
  port: number,
  handle: (request: Request) => Answer | Promise<Answer>,
): Promise<HttpServer> {
  const stalled = new Set<ServerResponse>();
  const finish = (response: ServerResponse, answer: Answer): void => {
    if (answer.broken === 'stalled') {
      stalled.add(response);
      response.once('close', () => stalled.delete(response));
    }
    send(response, answer);
  };
  const server = createServer({ keepAliveTimeout: 0 }, (message, response) => {
    readRequest(message, (request) => {
      try {
        const answer = request.path === '/healthz' ? json(200, { ok: true }) : handle(request);
        if (!(answer instanceof Promise)) return finish(response, answer);
        answer.then(
          (later) => finish(response, later),
          () => response.destroy(),
        );
      } catch {
        response.destroy();
      }
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakStalled() {
      for (const response of stalled) response.destroy();
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
