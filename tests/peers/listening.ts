import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came over the wire. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Answered {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** The work was done, the answer never leaves: the socket is cut instead. */
  cut?: boolean;
}

export interface Listening {
  url: string;
  /** Everything asked so far, oldest first. */
  asked: Asked[];
  close(): Promise<void>;
}

/** A bare server on a free port of loopback that remembers what it was asked. */
export async function listen(answer: (asked: Asked) => Answered): Promise<Listening> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const one = await read(request);
    asked.push(one);
    const { status, headers, body, cut } = answer(one);
    if (cut) return void request.socket.destroy();
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer');
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
