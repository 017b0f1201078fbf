import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { resultOfNetworkError } from '../json-posting.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { blockKit, escapeText } from './blocks.ts';
import { classifyAnswer } from './classify.ts';
import type { SlackConfiguration } from './configuration.ts';

const timeoutMs = 10_000;
const maxBytes = 256 * 1024;

/**
 * Posts a message, drawn where it can be. While hundreds of them wait for their answers, only their
 * bytes and their texts are kept: this function is not async, so that nothing holds what it was given.
 */
export function post(
  httpClient: HttpClient,
  { apiUrl }: Pick<SlackConfiguration, 'apiUrl'>,
  token: string,
  message: OutgoingMessage,
): Promise<PostResult> {
  const { channelId, text, clientMessageId } = message;
  const content = { channelId, text, clientMessageId };
  const send = (body: Uint8Array) => sendBody(httpClient, `${apiUrl}chat.postMessage`, token, body);
  try {
    const blocks = blocksOf(message);
    const body = bodyOf(content, blocks);
    if (!blocks) return send(body);
    const others = blocks.filter(({ type }) => type !== 'data_visualization');
    const uncharted = others.length < blocks.length ? bodyOf(content, others) : null;
    return sendDrawn(send, content, body, uncharted);
  } catch {
    // It could not even be written down: nothing was sent, and the next try fails alike.
    return Promise.resolve(unwritable);
  }
}

type Sender = (body: Uint8Array) => Promise<PostResult>;
type Content = Pick<OutgoingMessage, 'channelId' | 'text' | 'clientMessageId'>;

/**
 * Blocks that Slack refuses posted nothing: they are sent without their charts, which not every workspace
 * takes yet, and then the text alone, once each.
 */
async function sendDrawn(
  send: Sender,
  content: Content,
  body: Uint8Array,
  uncharted: Uint8Array | null,
): Promise<PostResult> {
  const result = await send(body);
  if (result.end !== 'fault' || !refusedBlocks.has(result.code)) return result;
  if (uncharted) return await sendDrawn(send, content, uncharted, null);
  const alone = await send(bodyOf(content, null));
  return alone.end === 'posted' ? { ...alone, refusedBlocks: result.code } : alone;
}

const refusedBlocks: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
]);

const unwritable: PostResult = { end: 'fault', code: 'unwritable_request' };

async function sendBody(
  httpClient: HttpClient,
  url: string,
  token: string,
  body: Uint8Array,
): Promise<PostResult> {
  try {
    return classifyAnswer(
      await httpClient.request({
        method: 'POST',
        url,
        headers: {
          authorization: `Bearer ${token}`,
          // A form would have the blocks written as JSON and each of its signs written again.
          'content-type': 'application/json; charset=utf-8',
        },
        body,
        timeoutMs,
        maxBytes,
      }),
    );
  } catch (error) {
    return error instanceof NetworkError ? resultOfNetworkError(error) : unwritable;
  }
}

/** `client_msg_id` is what Slack's own clients send; it is not in the published argument list. */
function bodyOf(
  { channelId, text, clientMessageId }: Content,
  blocks: ReturnType<typeof blockKit>,
): Uint8Array {
  const content = {
    channel: channelId,
    text: escapeText(text),
    ...(blocks ? { blocks } : {}),
    unfurl_links: false,
    unfurl_media: false,
    client_msg_id: clientMessageId,
  };
  return Buffer.from(JSON.stringify(content));
}

/** Null for a text alone. One with a chart is drawn too: a chart is a block. */
function blocksOf({ text, blocks, charts }: OutgoingMessage): ReturnType<typeof blockKit> {
  if (blocks?.length) return blockKit(blocks, charts);
  return charts?.length ? blockKit([{ type: 'text', text }], charts) : null;
}
