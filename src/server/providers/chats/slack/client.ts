import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { networkCode, readObject } from '../json-posting.ts';
import { ChatProviderError } from '../port.ts';
import { classOf, isListed } from './codes.ts';
import type { SlackConfiguration } from './configuration.ts';

/**
 * One call of Slack's Web API (docs.slack.dev/apis/web-api), with a token or with none. Throws
 * `ChatProviderError` for every answer that is not `ok`; never repeats and never waits.
 */
export type SlackCall = <Method extends keyof Answers>(
  token: string | null,
  method: Method,
  parameters?: Record<string, string>,
) => Promise<Answers[Method] & Granted>;

/** What we read of each method's answer: nothing is sure to be there. */
interface Answers {
  'auth.test': Partial<{
    team: string;
    team_id: string;
    user_id: string;
    bot_id: string;
    is_enterprise_install: boolean;
  }>;
  'auth.revoke': Partial<{ revoked: boolean }>;
  'conversations.info': Partial<{ channel: SlackChannel }>;
  'conversations.list': Partial<{
    channels: SlackChannel[];
    response_metadata: Partial<{ next_cursor: string }>;
  }>;
  'oauth.access': Partial<{
    team_id: string;
    team_name: string;
    scope: string;
    bot: Partial<{ bot_user_id: string; bot_access_token: string }>;
  }>;
  'oauth.v2.access': Partial<{
    access_token: string;
    bot_user_id: string;
    scope: string;
    team: Partial<{ id: string; name: string }> | null;
    is_enterprise_install: boolean;
  }>;
}

export type SlackChannel = Partial<{
  id: string;
  name: string;
  is_archived: boolean;
  is_private: boolean;
  is_ext_shared: boolean;
}>;

interface Granted {
  /** Of the token, comma-separated, as Slack names them in a header of each answer. */
  granted?: string;
}

const timeoutMs = 10_000;
/** A page of several hundred channels is larger than the client's usual limit. */
const maxBytes = 8 * 1024 * 1024;

/** A caller of our own: the SDK's retries, transport and logging would all be switched off. */
export function createCaller(
  httpClient: HttpClient,
  { apiUrl }: Pick<SlackConfiguration, 'apiUrl'>,
): SlackCall {
  return async (token, method, parameters = {}) => {
    const answer = await httpClient
      .request({
        method: 'POST',
        url: apiUrl + method,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: String(new URLSearchParams(parameters)),
        timeoutMs,
        maxBytes,
      })
      .catch((error: unknown) => {
        throw error instanceof NetworkError ? unavailable(networkCode(error)) : error;
      });
    return { ...bodyOf(answer), ...grantedBy(answer) } as never;
  };
}

/** Throws for what is no `ok`: a limit, a status that a proxy wrote, a code of Slack's, no JSON. */
function bodyOf(answer: IncomingResponse): Record<string, unknown> {
  if (answer.status === 429) throw unavailable('ratelimited', retryAfter(answer));
  if (answer.status >= 500 || isIntercepted(answer)) throw unavailable(`http_${answer.status}`);
  const body = readObject(answer.body);
  if (body?.ok === true) return body;
  const code = String(body?.error);
  if (!body || !/^[a-z][a-z0-9_]{1,80}$/.test(code) || code === 'undefined') {
    throw unavailable('unreadable_answer');
  }
  const found = classOf(code);
  throw slackError(found === 'transient' || found === 'ambiguous' ? 'unavailable' : found, code);
}

/**
 * A redirection or a refusal that Slack did not write: a proxy, a portal or a firewall answered in its
 * place. Slack says no with the status 200 and a code of its own.
 */
export function isIntercepted({ status, body }: IncomingResponse): boolean {
  if (status >= 200 && status <= 299) return false;
  const answer = readObject(body);
  return !(answer?.ok === false && isListed(String(answer.error)));
}

function grantedBy({ headers }: IncomingResponse): Granted {
  const scopes = headers['x-oauth-scopes'];
  if (typeof scopes !== 'string') return {};
  const names = scopes.split(',').map((name) => name.trim());
  return { granted: names.join(',') };
}

export function slackError(kind: ChatProviderError['kind'], code: string): ChatProviderError {
  return new ChatProviderError('slack', kind, code);
}

function unavailable(code: string, retryAfterSeconds?: number | null): ChatProviderError {
  const wait = { retryAfterSeconds: retryAfterSeconds ?? undefined };
  return new ChatProviderError('slack', 'unavailable', code, wait);
}

/** Whole seconds, as Slack writes them; anything else counts as not said. */
export function retryAfter({ headers }: Pick<IncomingResponse, 'headers'>): number | null {
  const header = headers['retry-after'];
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
