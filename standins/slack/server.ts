import { answerControl } from '../service/control.ts';
import { createFaults } from '../service/faults.ts';
import type { Answer } from '../service/responses.ts';
import { startHttpServer } from '../service/server.ts';
import { createVariations } from '../service/variations.ts';
import { answerApi } from './api.ts';
import { type Control, createControl } from './control.ts';
import { createLimits } from './limits.ts';
import { answerAuthorize } from './oauth/authorize.ts';
import { completeOptions, type SlackStandinOptions } from './options.ts';
import { answerPage } from './pages/routes.ts';
import { callOf } from './request.ts';
import type { Standin } from './standin.ts';
import { openState } from './store.ts';

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

export async function startSlackStandin(given: SlackStandinOptions): Promise<SlackStandin> {
  const options = completeOptions(given);
  const { state, saved } = openState(options.stateFile);
  const standin: Standin = {
    options,
    state,
    changed: saved.changed,
    faults: createFaults(1),
    limits: options.limits ? createLimits() : null,
    latencyMs: options.latencyMs,
    maxPage: Number.POSITIVE_INFINITY,
    variations: createVariations(options.varied),
    requests: [],
  };
  const control = createControl(standin, () => server.breakStalled());
  const server = await startHttpServer(options.port, (request): Answer | Promise<Answer> => {
    if (request.path.startsWith('/api/')) return answerApi(standin, request);
    if (request.path.startsWith('/_control/')) return answerControl(control, request);
    const call = callOf(request);
    if (request.path.startsWith('/oauth/')) return answerAuthorize({ standin, call });
    return answerPage(state, control, call);
  });
  const { url } = server;
  return {
    url,
    apiUrl: `${url}/api/`,
    authorizeUrls: { classic: `${url}/oauth/authorize`, granular: `${url}/oauth/v2/authorize` },
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    signingSecret: options.signingSecret,
    control,
    async close() {
      await server.close();
      await saved.close();
    },
  };
}
