import { createHash } from 'node:crypto';
import { maxLabelLength } from '../../../shared/contract/bounds.ts';
import { truncate } from '../../../shared/message/render.ts';
import type { HttpClient, IncomingResponse } from '../../platform/http-client/http-client.ts';
import { readJson } from '../../platform/http-client/json.ts';
import { NetworkError } from '../../platform/http-client/network-error.ts';
import { type ChatProvider, ChatProviderError } from './port.ts';
import type { LimitScope, PostResult } from './posting.ts';

/** What the chats that take one JSON body over HTTP have in common. */

/** A message that is sent once more as its letters takes 25 s at most: a lease covers that. */
const limits = { connectedWithinMs: 2_500, timeoutMs: 10_000 };

/** One POST of a message. `classify` reads the answer; a lost one, and a network's end, are read here. */
export async function postJson(
  client: HttpClient,
  url: string,
  body: object,
  classify: (answer: IncomingResponse) => PostResult,
  headers: Record<string, string> = {},
): Promise<PostResult> {
  try {
    return classify(
      await client.request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
        body: JSON.stringify(body),
        ...limits,
      }),
    );
  } catch (error) {
    if (!(error instanceof NetworkError)) return { end: 'fault', code: 'unwritable_request' };
    return resultOfNetworkError(error);
  }
}

/**
 * A request that failed before a byte of it was written has posted nothing; any other may have, unless its
 * answer is a refusal, of which the status was read.
 */
export function resultOfNetworkError(
  error: Pick<NetworkError, 'kind' | 'phase' | 'status'>,
): PostResult {
  const code = networkCode(error);
  const { status } = error;
  if (status !== null && status >= 300) return resultOfStatus({ status, body: '' });
  return error.phase === 'before'
    ? { end: 'transient', code, limitScope: null, retryAfterSeconds: null }
    : { end: 'ambiguous', code };
}

export function networkCode({ kind }: Pick<NetworkError, 'kind'>): string {
  return `network_${kind.replaceAll('-', '_')}`;
}

/** Text that a chat refused as it is drawn, sent once more as its letters alone. */
export async function postWithPlainFallback(
  send: (isDrawn: boolean) => Promise<PostResult>,
  hasBlocks: boolean,
  refusedDrawings: ReadonlySet<string>,
): Promise<PostResult> {
  const result = await send(hasBlocks);
  if (!hasBlocks || result.end !== 'fault' || !refusedDrawings.has(result.code)) return result;
  const alone = await send(false);
  return alone.end === 'posted' ? { ...alone, refusedBlocks: result.code } : alone;
}

/**
 * An answer without a known code of the chat's: by its status alone, the message may stand or not. A
 * refusal that is no JSON comes from what stands between us and the chat, which has refused nothing.
 */
export function resultOfStatus({
  status,
  body,
}: Pick<IncomingResponse, 'status' | 'body'>): PostResult {
  const code = `http_${status}`;
  const isLost = status >= 500 || status === 408 || (status >= 200 && status < 300);
  if (isLost) return { end: 'ambiguous', code };
  // What is too large stays so.
  const isPage = status !== 413 && readObject(body) === null;
  return isRedirect(status) || isPage
    ? { ...redirected, code, intercepted: true }
    : { end: 'fault', code: refusedCode(status) };
}

/** The chat's own refusal, or that of a limit on its way, of which no more is known than its status. */
export function refusedCode(status: number): string {
  return `refused_${status}`;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/**
 * No chat answers a post so: a proxy's maintenance or sign-in page sends elsewhere for a while. The code
 * is for chats whose address was pasted, which may have become wrong.
 */
export const redirected: Extract<PostResult, { end: 'transient' }> = {
  end: 'transient',
  code: 'redirected',
  limitScope: null,
  retryAfterSeconds: null,
};

/** The user must act: `kind` says where. */
export function permanent(
  kind: 'installation' | 'permission' | 'channel',
  code: string,
): PostResult {
  return { end: 'permanent', kind, code };
}

/** Too many calls. `seconds` may have a fraction; it is rounded up. */
export function limited(
  limitScope: LimitScope,
  seconds: number | null,
  code = 'limited',
): PostResult {
  const retryAfterSeconds = seconds === null ? null : Math.max(1, Math.ceil(seconds));
  return { end: 'transient', code, limitScope, retryAfterSeconds };
}

/** A header that holds a number of seconds, whole or not; null for anything else. */
export function readSecondsHeader({ headers }: IncomingResponse, name: string): number | null {
  const header = headers[name];
  return typeof header === 'string' && /^\d{1,6}(\.\d{1,6})?$/.test(header) ? Number(header) : null;
}

/** Null for what is no JSON object. */
export function readObject(body: string): Record<string, unknown> | null {
  const value = readJson(body, '\ufffd');
  return typeof value === 'object' && value !== null ? { ...value } : null;
}

/**
 * A text of the chat's as a code. PostgreSQL refuses a text with U+0000, and with it the whole statement
 * that stores the results of many deliveries; codes are plain ASCII.
 */
export function printable(code: unknown): string {
  return typeof code === 'string' ? code.replace(/[^\x20-\x7e]/g, '?').slice(0, 80) : '';
}

/** The same for each link to one address, which cannot be read from it. */
export function digestOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 32);
}

/** An address that somebody pasted, or an error of the kind `address`. */
export function readAddress(chat: string, pasted: string | undefined): URL {
  const text = pasted?.trim() ?? '';
  if (!URL.canParse(text)) throw new ChatProviderError(chat, 'address', 'no_address');
  return new URL(text);
}

/** Of a link that leads to one channel of no known team. Its id says nothing: the secret names the channel. */
export function ofOneChannel(label: string) {
  const name = truncate(label.trim(), maxLabelLength);
  const channel = { id: 'webhook', name, isPrivate: true, isExternal: false };
  return { teamName: null, botUserId: null, channel };
}

/**
 * A chat of which the installation has nothing: people bring an address or a token, which stay theirs
 * when a link ends. `words` (French) say to the operator what they bring.
 */
export function withoutInstallationCredentials(
  words: string,
): Pick<ChatProvider, 'check' | 'revoke'> {
  return { check: async () => ({ end: 'open', words }), revoke: async () => {} };
}
