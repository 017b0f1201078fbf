import type { IncomingAnswer } from '../../../platform/http-client/http-client.ts';
import type { NetworkError } from '../../../platform/http-client/network-error.ts';
import type { PostResult } from '../port.ts';
import { classOf } from './codes.ts';

/**
 * What an answer to chat.postMessage says about the message. Slack answers 200 with `ok` for
 * everything but a limit (429); whatever else comes, a proxy or a broken server wrote it.
 */
export function classifyAnswer(answer: IncomingAnswer): PostResult {
  if (answer.status === 429) return limited(answer);
  if (answer.status >= 500 || answer.status === 408) {
    return { end: 'ambiguous', code: `http_${answer.status}` };
  }
  if (answer.status !== 200) return { end: 'fault', code: `http_${answer.status}` };
  const body = readBody(answer.body);
  if (body?.ok === true && typeof body.ts === 'string') {
    return { end: 'posted', ts: storable(body.ts) };
  }
  if (body?.ok === false && typeof body.error === 'string') {
    return refused(storable(body.error), answer);
  }
  return { end: 'ambiguous', code: 'unreadable_answer' };
}

/** A request of which nothing was written posted nothing; any other may have. */
export function classifyNetworkError(error: Pick<NetworkError, 'kind' | 'phase'>): PostResult {
  const code = `network_${error.kind.replaceAll('-', '_')}`;
  return error.phase === 'before'
    ? { end: 'transient', code, retryAfterSeconds: null }
    : { end: 'ambiguous', code };
}

function refused(code: string, answer: IncomingAnswer): PostResult {
  const found = classOf(code);
  switch (found) {
    case 'installation':
    case 'permission':
    case 'channel':
      return { end: 'permanent', cause: found, code };
    case 'transient':
      return { end: 'transient', code, retryAfterSeconds: retryAfter(answer) };
    default:
      return { end: found, code };
  }
}

function limited(answer: IncomingAnswer): PostResult {
  return { end: 'transient', code: 'ratelimited', retryAfterSeconds: retryAfter(answer) };
}

/** Written beside hundreds of others in one statement: a U+0000 in one would keep them all waiting. */
function storable(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}

/** Whole seconds, as Slack writes them; anything else counts as not said. */
function retryAfter(answer: IncomingAnswer): number | null {
  const header = answer.headers['retry-after'];
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

function readBody(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
