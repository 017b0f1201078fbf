import type { Clock } from '../../../platform/clock.ts';
import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { type BankFailure, BankSourceError } from '../failures.ts';
import { isRecord, readRetryAfter, readText } from '../json-fields.ts';
import type { PontoPair } from './accesses.ts';
import { createTokens } from './tokens.ts';

export interface PontoDeps {
  httpClient: HttpClient;
  clock: Clock;
  /** Without a slash at its end. */
  apiUrl: string;
}

interface PontoCall {
  method: 'GET' | 'POST';
  /** From the slash on, with its query. */
  path: string;
  body?: object;
  timeoutMs?: number;
}

/** An error that Ponto answered, with its own code. */
export class PontoRefusal extends BankSourceError {
  readonly code: string;

  constructor(kind: BankFailure, answer: Refused, now: Date, sentence?: string) {
    super(kind, `Ponto answered ${answer.status} ${answer.code} to ${answer.route}`, {
      retryAfterSeconds: readRetryAfter(answer.headers, now),
      ...(sentence && { sentence }),
    });
    this.code = answer.code;
  }
}

interface Refused {
  status: number;
  headers: IncomingResponse['headers'];
  code: string;
  route: string;
}

export interface PontoCaller {
  /** Asks as an integration; null for what needs no access. Returns the body of a yes. */
  ask(pair: PontoPair | null, call: PontoCall): Promise<Record<string, unknown>>;
  /** Proves the pair anew: a token that it opened earlier says nothing of its secret today. */
  prove(pair: PontoPair): Promise<void>;
}

/**
 * Speaks HTTP with Ponto (documentation.myponto.com/api, a custom integration). Throws
 * `BankSourceError` for everything but a yes; neither it nor a log ever holds a secret or a token.
 */
export function createCaller(deps: PontoDeps): PontoCaller {
  const tokens = createTokens(deps.clock, (pair) => openToken(deps, pair));
  const askWith = (call: PontoCall, token: string | null) => askJson(deps, call, token);
  return {
    async ask(pair, call) {
      if (!pair) return askWith(call, null);
      const token = await tokens.of(pair);
      try {
        return await askWith(call, token);
      } catch (error) {
        // A token may end before its time: one more is asked for, once.
        if (!(error instanceof BankSourceError) || error.kind !== 'credentials') throw error;
        tokens.discard(pair, token);
        return await askWith(call, await tokens.of(pair));
      }
    },
    async prove(pair) {
      tokens.discard(pair);
      await tokens.of(pair);
    },
  };
}

/** OAuth 2 client credentials: RFC 6749 §4.4, with the pair as HTTP Basic. */
async function openToken(
  deps: PontoDeps,
  { clientId, clientSecret }: PontoPair,
): Promise<{ token: string; seconds: number }> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const body = await send(deps, {
    method: 'POST',
    path: '/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    text: 'grant_type=client_credentials',
  });
  const token = readText(body.access_token);
  if (!token) throw new BankSourceError('unavailable', 'Ponto answered a token without a token');
  const { expires_in: seconds } = body;
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : 60 };
}

function askJson(
  deps: PontoDeps,
  { method, path, body, timeoutMs }: PontoCall,
  token: string | null,
): Promise<Record<string, unknown>> {
  return send(deps, {
    method,
    path,
    headers: {
      accept: 'application/vnd.api+json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/vnd.api+json' }),
    },
    ...(body && { text: JSON.stringify(body) }),
    ...(timeoutMs && { timeoutMs }),
  });
}

interface Sent extends Pick<PontoCall, 'method' | 'path' | 'timeoutMs'> {
  headers: Record<string, string>;
  text?: string;
}

async function send(
  { httpClient, clock, apiUrl }: PontoDeps,
  { method, path, headers, text, timeoutMs = 12_000 }: Sent,
): Promise<Record<string, unknown>> {
  const route = routeOf(method, path);
  const answer = await httpClient
    .request({
      ...{ method, url: `${apiUrl}${path}`, headers, timeoutMs, maxBytes: 4 * 1024 * 1024 },
      ...(text !== undefined && { body: text }),
    })
    .catch((cause: unknown) => {
      throw new BankSourceError('unavailable', `Ponto did not answer to ${route}`, { cause });
    });
  const body = readJson(answer.body);
  if (answer.status >= 200 && answer.status < 300 && isRecord(body)) return body;
  const { status } = answer;
  throw refusalOf(
    { status, headers: answer.headers, code: codeOf(body), route },
    body,
    clock.now(),
  );
}

/** A page of something on the way is no answer of Ponto, whatever its status. */
function refusalOf(refused: Refused, body: unknown, now: Date): BankSourceError {
  const { status, code } = refused;
  const isPage = body === undefined && status !== 429;
  if (isPage || status < 400 || status >= 500) return new PontoRefusal('unavailable', refused, now);
  if (status === 429 || code === 'tooManyRequests')
    return new PontoRefusal('limited', refused, now);
  if (status === 401 || pairRefusals.has(code)) {
    return new PontoRefusal('credentials', refused, now, sentences.pair);
  }
  if (status === 403) return new PontoRefusal('credentials', refused, now, sentences.right);
  return new PontoRefusal('refused', refused, now);
}

/** RFC 6749 §5.2, which answers some of these with 400. */
const pairRefusals = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client']);

const sentences = {
  pair: 'Ponto refuse cet identifiant ou ce secret. Recopiez-les depuis Ponto, sans espace autour.',
  right:
    "Ponto refuse à cette intégration le droit de lire les comptes. Dans Ponto, donnez-lui l'accès aux informations des comptes.",
};

/** `{ errors: [{ code }] }` of JSON:API, or `{ error }` of the token endpoint. */
function codeOf(body: unknown): string {
  if (!isRecord(body)) return '';
  const first: unknown = Array.isArray(body.errors) ? body.errors[0] : null;
  return String((isRecord(first) ? first.code : body.error) ?? '').slice(0, 100);
}

function routeOf(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*/, '').replace(/\/[0-9a-f-]{20,}/g, '/{id}')}`;
}
