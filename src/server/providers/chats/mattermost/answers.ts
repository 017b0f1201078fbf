import type { IncomingResponse } from '../../../platform/http-client/http-client.ts';
import {
  isRedirect,
  limited,
  printable,
  readObject,
  readSecondsHeader,
  redirected,
} from '../json-posting.ts';
import type { PostResult } from '../posting.ts';

/**
 * What an answer that is no success says; null where its status alone tells. `known` has results by the
 * beginning of the error's `id`, by which alone the server branches: its messages are in its own language.
 */
export function knownFailure(
  answer: IncomingResponse,
  known: readonly [string, PostResult][],
): PostResult | null {
  const { status } = answer;
  if (status === 429) {
    const seconds =
      readSecondsHeader(answer, 'retry-after') ?? readSecondsHeader(answer, 'x-ratelimit-reset');
    return limited('team', seconds);
  }
  if (isRedirect(status)) return redirected;
  const id = errorId(answer);
  return [...known, busy].find(([part]) => id.startsWith(part))?.[1] ?? null;
}

/** Empty where the answer is no error of Mattermost's own. */
export function errorId({ body }: IncomingResponse): string {
  return printable(readObject(body)?.id);
}

const busy: [string, PostResult] = [
  'api.context.server_busy.',
  { end: 'transient', code: 'server_busy', limitScope: null, retryAfterSeconds: null },
];
