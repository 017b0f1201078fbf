import type { IncomingAnswer } from '../../../platform/http-client/http-client.ts';
import type { NetworkError } from '../../../platform/http-client/network-error.ts';
import type { PostResult } from '../port.ts';
import { networkCode, readBody, retryAfter } from './client.ts';
import { classOf } from './codes.ts';

/**
 * What an answer to chat.postMessage says about the message. Slack answers 200 with `ok` for
 * everything but a limit (429); whatever else comes, a proxy or a broken server wrote it.
 */
export function classifyAnswer(answer: IncomingAnswer): PostResult {
  if (answer.status === 429) return passing('ratelimited', answer);
  if (answer.status >= 500 || answer.status === 408) {
    return { end: 'ambiguous', code: `http_${answer.status}` };
  }
  if (answer.status !== 200) return { end: 'fault', code: `http_${answer.status}` };
  const body = readBody(answer.body);
  if (body?.ok === true && typeof body.ts === 'string') {
    return { end: 'posted', receipt: storable(body.ts), certainty: 'shown' };
  }
  if (body?.ok === false && typeof body.error === 'string') {
    return refused(storable(body.error), answer);
  }
  return { end: 'ambiguous', code: 'unreadable_answer' };
}

/** A request of which nothing was written posted nothing; any other may have. */
export function classifyNetworkError(error: Pick<NetworkError, 'kind' | 'phase'>): PostResult {
  const code = networkCode(error);
  return error.phase === 'before'
    ? { end: 'transient', code, limitKey: null, retryAfterSeconds: null }
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
      return passing(code, answer);
    default:
      return { end: found, code };
  }
}

/** Its limits are counted for a team, and a wait that it asks for counts like one. */
function passing(code: string, answer: IncomingAnswer): PostResult {
  const retryAfterSeconds = retryAfter(answer);
  const isLimit = retryAfterSeconds !== null || limits.has(code);
  return { end: 'transient', code, limitKey: isLimit ? 'team' : null, retryAfterSeconds };
}

const limits = new Set(['ratelimited', 'rate_limited']);

/** Written beside hundreds of others in one statement: a U+0000 in one would keep them all waiting. */
function storable(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}
