import {
  type FetchFunction,
  LogLevel,
  type Logger as SlackLogger,
  WebClient,
} from '@slack/web-api';
import type { Logger } from 'pino';
import type { HttpClient, OutgoingRequest } from '../../../platform/http-client/http-client.ts';
import type { SlackConfiguration } from './configuration.ts';
import { chatErrorOf } from './errors.ts';

/** Runs one or more calls with a token, or with none, and turns whatever fails into our words. */
export type SlackCaller = <T>(
  token: string | null,
  work: (client: WebClient) => Promise<T>,
) => Promise<T>;

const timeoutMs = 10_000;
/** A page of several hundred channels is larger than the door's usual limit. */
const maxBytes = 8 * 1024 * 1024;

/**
 * The SDK, with its habits taken off: no repeating, no waiting for limits, no network of its own.
 * A client is made for each use and given no headers: the SDK writes the token into the object it
 * is handed, so a shared one would carry a team's token to the next.
 */
export function createCaller(options: {
  configuration: Pick<SlackConfiguration, 'apiUrl'>;
  httpClient: HttpClient;
  log: Logger;
}): SlackCaller {
  const fetch = fetchThrough(options.httpClient);
  const logger = quietLogger(options.log);
  return async (token, work) => {
    const client = new WebClient(token ?? undefined, {
      slackApiUrl: options.configuration.apiUrl,
      fetch,
      logger,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    });
    try {
      return await work(client);
    } catch (error) {
      throw chatErrorOf(error);
    }
  };
}

function fetchThrough(httpClient: HttpClient): FetchFunction {
  return async (address, init = {}) => {
    const url = String(address);
    const answer = await httpClient.request({
      method: init.method === 'GET' ? 'GET' : 'POST',
      url,
      ...(init.headers ? { headers: init.headers } : {}),
      ...bodyOf(init.body),
      timeoutMs,
      maxBytes,
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, String(value));
    }
    return {
      ok: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      statusText: '',
      url,
      headers,
      text: async () => answer.body,
      json: async () => JSON.parse(answer.body),
      arrayBuffer: async () => new TextEncoder().encode(answer.body).buffer,
    };
  };
}

function bodyOf(body: unknown): Pick<OutgoingRequest, 'body'> {
  return typeof body === 'string' ? { body } : {};
}

/** The SDK's own lines stay out of our log, but for what it warns of. */
function quietLogger(log: Logger): SlackLogger {
  const nothing = (): void => {};
  return {
    debug: nothing,
    info: nothing,
    warn: (...words) => log.debug({ words }, 'slack sdk'),
    error: (...words) => log.debug({ words }, 'slack sdk'),
    setLevel: nothing,
    getLevel: () => LogLevel.WARN,
    setName: nothing,
  };
}
