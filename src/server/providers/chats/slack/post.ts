import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { blockKit, escapeText } from './blocks.ts';
import { classifyAnswer, classifyNetworkError } from './classify.ts';
import type { SlackConfiguration } from './configuration.ts';

const timeoutMs = 10_000;
const maxBytes = 256 * 1024;

/** Blocks that Slack refuses posted nothing: the text is then sent alone, once. */
export async function post(
  httpClient: HttpClient,
  configuration: Pick<SlackConfiguration, 'apiUrl'>,
  token: string,
  message: OutgoingMessage,
): Promise<PostResult> {
  const result = await send(httpClient, configuration, token, message);
  const isDrawn = blocksOf(message) !== null;
  if (!isDrawn || result.end !== 'fault' || !refusedBlocks.has(result.code)) return result;
  const { charts: _charts, ...text } = message;
  const alone = await send(httpClient, configuration, token, { ...text, blocks: [] });
  return alone.end === 'posted' ? { ...alone, undrawn: result.code } : alone;
}

const refusedBlocks: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'invalid_attachments',
]);

async function send(
  httpClient: HttpClient,
  configuration: Pick<SlackConfiguration, 'apiUrl'>,
  token: string,
  message: OutgoingMessage,
): Promise<PostResult> {
  try {
    return classifyAnswer(
      await httpClient.request({
        method: 'POST',
        url: `${configuration.apiUrl}chat.postMessage`,
        headers: {
          authorization: `Bearer ${token}`,
          // A form would have the blocks written as JSON and each of its signs written again.
          'content-type': 'application/json; charset=utf-8',
        },
        body: JSON.stringify(argumentsOf(message)),
        timeoutMs,
        maxBytes,
      }),
    );
  } catch (error) {
    if (error instanceof NetworkError) return classifyNetworkError(error);
    // The request could not even be written down: nothing was sent, and the next try fails alike.
    return { end: 'fault', code: 'unwritable_request' };
  }
}

/** `client_msg_id` is what Slack's own clients send; it is not in the published argument list. */
function argumentsOf(message: OutgoingMessage): object {
  const blocks = blocksOf(message);
  return {
    channel: message.channelId,
    text: escapeText(message.text),
    ...(blocks ? { blocks } : {}),
    unfurl_links: false,
    unfurl_media: false,
    client_msg_id: message.clientMessageId,
  };
}

/** Null for a text alone. One with a chart is drawn too: a chart is a block. */
function blocksOf({ text, blocks, charts }: OutgoingMessage): ReturnType<typeof blockKit> {
  if (blocks?.length) return blockKit(blocks, charts);
  return charts?.length ? blockKit([{ type: 'text', text }], charts) : null;
}
