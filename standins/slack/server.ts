import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendJson } from './answers.ts';
import { answerApi } from './api.ts';
import { type Control, createControl } from './control.ts';
import { answerControl } from './control-routes.ts';
import type { Fault } from './faults.ts';
import { createLimits, type Limits } from './limits.ts';
import { answerAuthorize } from './oauth/authorize.ts';
import { type CompleteOptions, completeOptions, type SlackStandinOptions } from './options.ts';
import { answerPage } from './pages/routes.ts';
import { readCall } from './request.ts';
import type { State } from './state.ts';
import { openStore, type Store } from './store.ts';

/** Slack's Web API, its OAuth pages and a view of its channels, on this machine alone. */
export interface SlackStandin {
  /** Without a trailing slash; it is also the page for people. */
  url: string;
  /** With a trailing slash, as the product's SLACK_API_URL. */
  apiUrl: string;
  authorizeUrls: { classic: string; granular: string };
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  control: Control;
  close(): Promise<void>;
}

/** What the request handlers share. */
export interface Standin {
  options: CompleteOptions;
  state: State;
  store: Store;
  faults: Fault[];
  /** Answers that stopped halfway, until the faults are cleared. */
  stalled: Set<ServerResponse>;
  limits: Limits | null;
  latencyMs: number;
  control: Control;
}

export async function startSlackStandin(given: SlackStandinOptions): Promise<SlackStandin> {
  const options = completeOptions(given);
  const store = await openStore(options);
  const parts = {
    options,
    store,
    state: store.state,
    faults: [],
    stalled: new Set<ServerResponse>(),
    limits: options.limits ? createLimits() : null,
    latencyMs: options.latencyMs,
  };
  const standin: Standin = Object.assign(parts, { control: createControl(parts) });
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
    handle(standin, request, response),
  );
  await new Promise<void>((done) => server.listen(options.port, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    apiUrl: `${url}/api/`,
    authorizeUrls: { classic: `${url}/oauth/authorize`, granular: `${url}/oauth/v2/authorize` },
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    signingSecret: options.signingSecret,
    control: standin.control,
    close: () => close(server, standin),
  };
}

function handle(standin: Standin, request: IncomingMessage, response: ServerResponse): void {
  readCall(request, (call) => {
    const { state, options, store } = standin;
    const context = { state, options, call, changed: store.changed };
    if (call.path.startsWith('/api/')) return answerApi(standin, context, request, response);
    if (call.path.startsWith('/_control/')) return answerControl(standin, call, response);
    if (call.path.startsWith('/oauth/')) return answerAuthorize(context, response);
    if (call.path === '/healthz') return sendJson(response, 200, { ok: true });
    return answerPage(standin, call, response);
  });
}

async function close(server: Server, standin: Standin): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
  await standin.store.close();
}
