import type { ChatPostMessageArguments } from '@slack/web-api';
import type { SlackConfiguration } from '../../configuration/configuration.ts';
import type { Door } from '../../network/door.ts';
import { NetworkError } from '../../network/network-error.ts';
import type { OutgoingMessage, PostResult } from '../chat.ts';
import { classifyAnswer, classifyNetworkError } from './classify.ts';
import { escapeText } from './text.ts';

const timeoutMs = 10_000;
const maxBytes = 256 * 1024;

/** Posts once, past the SDK: on this path its client costs several times the CPU of the request. */
export async function post(
  door: Door,
  configuration: Pick<SlackConfiguration, 'apiUrl'>,
  token: string,
  message: OutgoingMessage,
): Promise<PostResult> {
  try {
    return classifyAnswer(
      await door.request({
        method: 'POST',
        url: `${configuration.apiUrl}chat.postMessage`,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: formOf(argumentsOf(message)),
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
function argumentsOf(
  message: OutgoingMessage,
): ChatPostMessageArguments & { client_msg_id: string } {
  return {
    channel: message.channelId,
    text: escapeText(message.text),
    unfurl_links: false,
    unfurl_media: false,
    client_msg_id: message.clientMessageId,
  };
}

function formOf(fields: object): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString();
}
