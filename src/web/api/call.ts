import type { ErrorBody } from '../../shared/contract/errors.ts';
import { followServerClock } from '../time/clock.ts';
import { configuration } from './configuration.ts';
import { ApiError, isGone } from './failure.ts';
import { currentToken, expireToken } from './token.ts';

interface CallOptions {
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  file?: Blob;
  signal?: AbortSignal | undefined;
  /** Ends it, in place of the usual time limit. */
  limit?: AbortSignal;
  /** The session's token, when it is no longer the current one. */
  token?: string;
  /** The request outlives the page. */
  keepalive?: boolean;
}

const timeLimitMs = 45_000;
/** In bytes per millisecond. */
const slowestUpload = 30;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Deletes what is at a path; what is gone already is deleted. */
export async function callToDelete(path: string): Promise<void> {
  try {
    await call('DELETE', path);
  } catch (failure) {
    if (!isGone(failure)) throw failure;
  }
}

/** One call of the API; the caller names the answer's type, which the server's schemas guarantee. */
export async function call<Answer>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const response = await callForResponse(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/**
 * The same with the answer's headers. Throws an ApiError when the server answers with an error, and
 * the network's own error when it does not answer. A 401 to the current session ends it.
 */
export async function callForResponse(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  const token = options.token ?? currentToken();
  const response = await fetch(configuration.apiUrl + path, {
    method,
    headers: headersOf(token, options.body),
    body: options.file ?? (options.body === undefined ? null : JSON.stringify(options.body)),
    signal: options.limit ?? withTimeout(options),
    keepalive: options.keepalive ?? false,
    cache: 'no-store',
    credentials: 'omit',
  });
  followServerClock(response.headers.get('date'));
  if (response.ok) return response;
  const error = await errorOf(response);
  if (response.status === 401 && token) {
    const isGone = error instanceof ApiError && error.code === 'User_Not_Found';
    expireToken(token, isGone ? 'gone' : 'expired');
  }
  throw error;
}

/** Firefox before 124 lacks `any`: there, what is given up goes on until its limit. */
function withTimeout({ signal, file }: CallOptions): AbortSignal {
  const limit = AbortSignal.timeout(timeLimitMs + (file?.size ?? 0) / slowestUpload);
  return (signal && AbortSignal.any?.([signal, limit])) ?? limit;
}

function headersOf(token: string | null, body: unknown): HeadersInit {
  return {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

/** A proxy's error page is not an answer of our server: it counts as no answer. */
async function errorOf(response: Response): Promise<Error> {
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null);
  if (!body?.message) return new Error(`HTTP ${response.status}`);
  return new ApiError(response.status, body.code ?? '', body.message, body.details);
}
