import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sendJson } from './answers.ts';
import { answerApi } from './api.ts';
import { answerConnect } from './connect/routes.ts';
import { type Control, createControl } from './control.ts';
import { answerControl } from './control-routes.ts';
import { tellOfMornings } from './events.ts';
import { type Fault, playFault, takeFault } from './faults.ts';
import { createLimits, type Limits } from './limits.ts';
import type { ListEnd } from './lists.ts';
import { type BridgeStandinOptions, type CompleteOptions, completeOptions } from './options.ts';
import { type Request, readRequest } from './request.ts';
import { openStore, type Store } from './store.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Bridge v3 and its Connect pages, on this machine alone. */
export interface BridgeStandin {
  /** The product's BRIDGE_API_URL, without a trailing slash. */
  url: string;
  clientId: string;
  clientSecret: string;
  control: Control;
  close(): Promise<void>;
}

/** What the request handlers share. */
export interface Standin {
  options: CompleteOptions;
  store: Store;
  limits: Limits | null;
  webhooks: Webhooks;
  faults: Fault[];
  listEnd: ListEnd;
  maxPage: number;
  /** The latest thousand requests under `/v3/`. */
  requests: Pick<Request, 'method' | 'path' | 'headers' | 'text'>[];
  url(): string;
}

export async function startBridgeStandin(given: BridgeStandinOptions): Promise<BridgeStandin> {
  const options = completeOptions(given);
  const server = createServer((request, response) => {
    handle(standin, control, request, response).catch(() => response.destroy());
  });
  const standin: Standin = {
    options,
    store: openStore(options.stateFile),
    limits: options.limits ? createLimits() : null,
    webhooks: createWebhooks(options),
    faults: [],
    listEnd: 'null',
    maxPage: 500,
    requests: [],
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const control = createControl(standin);
  const mornings = watchMornings(standin);
  await new Promise<void>((done) => server.listen(options.port, '127.0.0.1', done));
  return {
    url: standin.url(),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    control,
    async close() {
      clearInterval(mornings);
      await close(server, standin);
    },
  };
}

/** The clock may be moved by days at once: each look tells of what came since the last. */
function watchMornings(standin: Standin): NodeJS.Timeout {
  let since = standin.options.clock.now();
  const timer = setInterval(() => {
    const now = standin.options.clock.now();
    if (standin.options.webhook) tellOfMornings(standin, since, now);
    since = now;
  }, 1_000);
  return timer.unref();
}

async function handle(
  standin: Standin,
  control: Control,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  const request = await readRequest(message);
  if (request.path.startsWith('/v3/')) return answerOrFail(standin, request, response);
  if (request.path.startsWith('/_control/')) return answerControl(control, request, response);
  if (request.path === '/healthz') return sendJson(response, 200, { ok: true });
  return answerConnect(standin, request, response);
}

async function answerOrFail(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): Promise<unknown> {
  const { method, path, headers, text } = request;
  standin.requests.push({ method, path, headers, text });
  if (standin.requests.length > 1_000) standin.requests.shift();
  const fault = takeFault(standin.faults, request);
  if (fault && fault.kind !== 'latency') return playFault(fault, response);
  if (fault) await wait(fault.ms ?? 0);
  return answerApi(standin, request, response);
}

async function close(server: Server, standin: Standin): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
  await standin.store.close();
}
