import type { Clock } from '../../../platform/clock.ts';
import { withoutSlash } from '../../../platform/configuration/variables.ts';
import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readRetryAfter } from '../json-fields.ts';
import type { CallLimiter } from '../port.ts';

export interface BridgeConfiguration {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookSecrets: string[];
}

export interface BridgeCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** From `/v3/` on, with its query. */
  path: string;
  body?: Record<string, unknown>;
  /** Of the user; without it the application alone asks. */
  token?: string;
  /** Bridge's id of the user whose limit the call counts against. */
  userId?: string;
  timeoutMs?: number;
}

/** An answer of Bridge itself. `body` is undefined for an empty success, and for a 401 or 429 without JSON. */
export interface BridgeAnswer {
  call: BridgeCall;
  status: number;
  body: unknown;
  /** The length of the body as text. */
  size: number;
  retryAfterSeconds: number | undefined;
}

export type BridgeCaller = (call: BridgeCall) => Promise<BridgeAnswer>;

/**
 * Speaks HTTP with Bridge: docs.bridgeapi.io/docs/basics. Throws `BankSourceError` of kind
 * `unavailable` when no usable answer came, and returns refusals to the caller.
 */
export function createCaller(options: {
  configuration: BridgeConfiguration;
  httpClient: HttpClient;
  clock: Clock;
  callLimiter: CallLimiter;
}): BridgeCaller {
  const base = baseOf(options.configuration.apiUrl);
  return async (call) => {
    const purpose = call.method === 'GET' ? 'reading' : 'act';
    const waitMs = await options.callLimiter(call.userId ?? null, purpose);
    if (waitMs > 0) {
      throw new BankSourceError('limited', `The limits leave no room for ${route(call)}`, {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
    const answer = await ask(options, base + call.path, call);
    const retryAfterSeconds = readRetryAfter(answer.headers, options.clock.now());
    const { status } = answer;
    // Bridge itself never redirects: something on the way has answered, such as a maintenance page.
    if (status >= 500 || (status >= 300 && status < 400) || status === 408) {
      throw unavailable(`answered ${status}`, call, { retryAfterSeconds });
    }
    const body = readJson(answer.body.replace(/^\uFEFF/, ''));
    if (body === undefined && !saysEnough(status, answer.body)) {
      throw unavailable(`answered ${status} without JSON`, call, { retryAfterSeconds });
    }
    return { call, status, body, size: answer.body.length, retryAfterSeconds };
  };
}

/** Without JSON, only an empty success, a token that is not taken and a limit are answers of Bridge. */
function saysEnough(status: number, body: string): boolean {
  return status < 300 ? body.trim() === '' : status === 401 || status === 429;
}

/** The body of an answer that must have succeeded. Throws `BankSourceError` for any other answer. */
export function requireOk(answer: BridgeAnswer): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  const kind = answer.status === 429 ? 'limited' : 'refused';
  throw new BankSourceError(kind, describeAnswer(answer), {
    retryAfterSeconds: answer.retryAfterSeconds,
  });
}

/** Said by Bridge itself, with a code of its own: JSON of something on the way says nothing of it. */
export function isNotFound({ status, body }: BridgeAnswer): boolean {
  return status === 404 && errorCode(body) !== '';
}

/** Bridge's own word about one item: no other 404 says that it is gone. */
export function isItemGone({ status, body }: BridgeAnswer): boolean {
  return status === 404 && errorCode(body) === 'item.not_found';
}

/** For logs: the status and Bridge's own codes, without ids or addresses of the user. */
export function describeAnswer({ call, status, body }: BridgeAnswer): string {
  return `Bridge answered ${status} ${errorCode(body)} to ${route(call)}`;
}

/** Clients write the address with and without its version; the paths here carry it. */
function baseOf(apiUrl: string): string {
  return withoutSlash(apiUrl).replace(/\/v3$/, '');
}

async function ask(
  options: { configuration: BridgeConfiguration; httpClient: HttpClient },
  url: string,
  call: BridgeCall,
): Promise<IncomingResponse> {
  const request = {
    method: call.method,
    url,
    headers: headersOf(options.configuration, call),
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    timeoutMs: call.timeoutMs ?? 12_000,
    maxBytes: 8 * 1024 * 1024,
  };
  try {
    return await options.httpClient.request(request).catch((error: unknown) => {
      // A kept connection that the other side has just closed: reading again harms nothing.
      const again =
        call.method === 'GET' && error instanceof NetworkError && error.kind === 'reset';
      if (!again) throw error;
      return options.httpClient.request(request);
    });
  } catch (cause) {
    throw unavailable('did not answer', call, { cause });
  }
}

/** All four, always: the documentation asks for fewer on some calls, its own examples disagree. */
function headersOf(configuration: BridgeConfiguration, call: BridgeCall): Record<string, string> {
  return {
    'Bridge-Version': '2025-01-15',
    'Client-Id': configuration.clientId,
    'Client-Secret': configuration.clientSecret,
    Accept: 'application/json',
    'Accept-Language': 'fr',
    ...(call.token ? { Authorization: `Bearer ${call.token}` } : {}),
    ...(call.body ? { 'Content-Type': 'application/json' } : {}),
  };
}

/** `{ errors: [{ code }] }`, its inner object alone, or the older `{ type }`. */
function errorCode(body: unknown): string {
  if (!isRecord(body)) return '';
  const first: unknown = Array.isArray(body.errors) ? body.errors[0] : body;
  if (!isRecord(first)) return '';
  return String(first.code ?? first.type ?? '').slice(0, 100);
}

function unavailable(
  what: string,
  call: BridgeCall,
  options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
): BankSourceError {
  return new BankSourceError('unavailable', `Bridge ${what} to ${route(call)}`, options);
}

function route({ method, path }: BridgeCall): string {
  return `${method} ${path.replace(/\?.*/, '').replace(/\/\d+/g, '/{id}')}`;
}
