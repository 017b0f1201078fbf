import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { postJson } from '../answers.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { classify } from './classify.ts';
import { addressOf, type TelegramConfiguration } from './client.ts';
import { plainHtml, plainLetters, richMessage } from './drawing.ts';

export type Post = (message: OutgoingMessage) => Promise<PostResult>;

/**
 * A message with blocks goes out as a rich one. What is refused as such posted nothing: it goes out
 * once more in the form that every version takes, and so does what has no blocks. A server of the Bot
 * API that knows no rich messages is asked once.
 */
export function createPost(client: HttpClient, configuration: TelegramConfiguration): Post {
  let isRichKnown = true;
  const send = (method: string, channelId: string, content: object) => {
    const body = { chat_id: channelId, ...content, ...buttonOf(configuration) };
    return postJson(client, addressOf(configuration, method), body, classify);
  };
  return async ({ channelId, text, blocks }) => {
    // The button under the message leads back, where Telegram takes one.
    const hasButton = configuration.publicUrl.startsWith('https://');
    const shown = blocks?.filter(({ type }) => type !== 'link' || !hasButton);
    const drawn = shown?.length ? shown : [{ type: 'text' as const, text }];
    const sendPlain = () => {
      const html = plainHtml(drawn);
      const written =
        html === null ? { text: plainLetters(drawn) } : { text: html, parse_mode: 'HTML' };
      const link_preview_options = { is_disabled: true };
      return send('sendMessage', channelId, { ...written, link_preview_options });
    };
    if (!shown?.length || !isRichKnown) return await sendPlain();
    const rich_message = richMessage(shown);
    const result = await send('sendRichMessage', channelId, { rich_message });
    if (result.end !== 'fault' || result.code === 'bot_token') return result;
    const isUnknown = result.code === 'method_not_found';
    if (isUnknown) isRichKnown = false;
    const second = await sendPlain();
    return second.end === 'posted' && !isUnknown ? { ...second, undrawn: result.code } : second;
  };
}

/** Telegram takes no button to an address that only this machine knows. */
function buttonOf({ publicUrl }: TelegramConfiguration): object {
  if (!publicUrl.startsWith('https://')) return {};
  const button = { text: 'Ouvrir Tirelire', url: `${publicUrl}/` };
  return { reply_markup: { inline_keyboard: [[button]] } };
}
