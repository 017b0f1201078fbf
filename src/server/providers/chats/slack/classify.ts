import type { IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { printable, readObject } from '../json-posting.ts';
import type { PostResult } from '../posting.ts';
import { isIntercepted, retryAfter } from './client.ts';
import { classOf } from './codes.ts';

/**
 * Whether the answer to chat.postMessage says that the message was posted. Slack answers with the
 * status 200 and a JSON body with `ok`, or with 429 for a limit. After a status of 500 or more, or
 * 408, the message may have been posted. A page of another kind, with another status, comes from
 * what stands between us and Slack: nothing was posted, and Slack has not refused it.
 */
export function classifyAnswer(answer: IncomingResponse): PostResult {
  const { status } = answer;
  if (status === 429) return notPosted('ratelimited', answer);
  if (status >= 500 || status === 408) return { end: 'ambiguous', code: `http_${status}` };
  if (isIntercepted(answer)) return intercepted(status);
  const receipt = postedAt(answer.body);
  if (receipt) return { end: 'posted', receipt, certainty: 'shown' };
  const body = readObject(answer.body);
  if (body?.ok === true && typeof body.ts === 'string') {
    return { end: 'posted', receipt: printable(body.ts), certainty: 'shown' };
  }
  if (body?.ok === false && typeof body.error === 'string') {
    return refused(printable(body.error), answer);
  }
  return { end: 'ambiguous', code: 'unreadable_answer' };
}

/**
 * The time stamp of a posted message, read without its text and blocks, which Slack sends back whole.
 * Undefined for an answer of another form, and for one that was cut. Only a cut right behind a block is
 * not seen here: its beginning says all the same that the message was posted.
 */
function postedAt(body: string): string | undefined {
  return body.endsWith('}}') ? beginning.exec(body)?.[1] : undefined;
}

const beginning = /^\{"ok":true,"channel":"\w+","ts":"(\d+\.\d+)","message":\{/;

function intercepted(status: number): PostResult {
  const code = `http_${status}`;
  return { end: 'transient', code, limitScope: null, retryAfterSeconds: null, intercepted: true };
}

function refused(code: string, answer: IncomingResponse): PostResult {
  const found = classOf(code);
  switch (found) {
    case 'installation':
    case 'permission':
    case 'channel':
      return { end: 'permanent', kind: found, code };
    case 'transient':
      return notPosted(code, answer);
    default:
      return { end: found, code };
  }
}

/**
 * The message can be sent later. Slack limits the calls of a team; an answer with `Retry-After` is
 * treated as such a limit, whatever its code.
 */
function notPosted(code: string, answer: IncomingResponse): PostResult {
  const retryAfterSeconds = retryAfter(answer);
  const isLimit = retryAfterSeconds !== null || limits.has(code);
  return { end: 'transient', code, limitScope: isLimit ? 'team' : null, retryAfterSeconds };
}

const limits = new Set(['ratelimited', 'rate_limited']);
