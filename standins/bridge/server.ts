import { answerControl } from '../service/control.ts';
import { createFaults } from '../service/faults.ts';
import type { Answer } from '../service/responses.ts';
import { readSaved, saveState } from '../service/saved-state.ts';
import { startHttpServer } from '../service/server.ts';
import { createVariations } from '../service/variations.ts';
import { answerApi } from './api.ts';
import { answerConnect } from './connect/flow.ts';
import { type Control, createControl } from './control.ts';
import { sendDailyRefreshEvents } from './events.ts';
import { createLimits } from './limits.ts';
import { type BridgeStandinOptions, completeOptions } from './options.ts';
import type { Standin } from './standin.ts';
import { openState } from './state.ts';
import { createWebhooks } from './webhooks.ts';

/** Bridge v3 and its Connect pages, on this machine alone. */
export interface BridgeStandin {
  /** The product's BRIDGE_API_URL, without a trailing slash. */
  url: string;
  clientId: string;
  clientSecret: string;
  control: Control;
  close(): Promise<void>;
}

export async function startBridgeStandin(given: BridgeStandinOptions): Promise<BridgeStandin> {
  const options = completeOptions(given);
  const state = openState(readSaved(options.stateFile));
  const saved = saveState(options.stateFile, () => state);
  let url = '';
  const standin: Standin = {
    options,
    state,
    changed: saved.changed,
    limits: options.limits ? createLimits() : null,
    webhooks: createWebhooks(options),
    faults: createFaults(null),
    lists: { end: 'null', maxPage: 500, shortPages: Number.POSITIVE_INFINITY },
    variations: createVariations(options.varied),
    requests: [],
    url: () => url,
  };
  const control = createControl(standin, () => server.breakStalled());
  const server = await startHttpServer(options.port, (request): Answer | Promise<Answer> => {
    if (request.path.startsWith('/_control/')) return answerControl(control, request);
    if (request.path.startsWith('/v3/')) return answerApi(standin, request);
    return answerConnect(standin, request);
  });
  url = server.url;
  const mornings = watchDailyRefreshes(standin);
  return {
    url,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    control,
    async close() {
      clearInterval(mornings);
      await server.close();
      await saved.close();
    },
  };
}

/** The clock may be moved by days at once: each look tells of what came since the last. */
function watchDailyRefreshes(standin: Standin): NodeJS.Timeout {
  let since = standin.options.clock.now();
  const timer = setInterval(() => {
    const now = standin.options.clock.now();
    if (standin.options.webhook) sendDailyRefreshEvents(standin, since, now);
    since = now;
  }, 1_000);
  return timer.unref();
}
