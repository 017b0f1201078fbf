import type { MessageBlock } from '../../../../shared/contract/messages.ts';
import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { postJson } from '../json-posting.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { classify, tooMany } from './classify.ts';
import { addressee, addressOf, type TelegramConfiguration, teamIdOf } from './client.ts';
import { plainHtml, plainText, richMessage } from './drawing.ts';

/**
 * A message with blocks goes out as a rich one. What is refused as such posted nothing: it goes out
 * once more in the form that every version takes, and so does what has no blocks. A server of the Bot
 * API that knows no rich messages is asked once.
 */
export class TelegramPoster {
  readonly #client: HttpClient;
  readonly #configuration: TelegramConfiguration;
  #knowsRich = true;
  /** The chats that were told to wait since any of them took a message. */
  readonly #limited = new Set<string>();

  constructor(client: HttpClient, configuration: TelegramConfiguration) {
    this.#client = client;
    this.#configuration = configuration;
  }

  async post({ channelId, text, blocks }: OutgoingMessage): Promise<PostResult> {
    const drawn = blocks?.filter(({ type }) => type !== 'link' || !this.#hasButton());
    if (!drawn?.length) return await this.#sendPlain(channelId, [{ type: 'text', text }]);
    if (!this.#knowsRich) return await this.#sendPlain(channelId, drawn);
    const result = await this.#send('sendRichMessage', channelId, {
      rich_message: richMessage(drawn),
    });
    if (result.end !== 'fault' || result.code === 'bot_token') return result;
    const isUnknown = result.code === 'method_not_found';
    if (isUnknown) this.#knowsRich = false;
    const second = await this.#sendPlain(channelId, drawn);
    return second.end === 'posted' && !isUnknown
      ? { ...second, refusedBlocks: result.code }
      : second;
  }

  /** The button under a message leads back. Telegram takes none to a host without a dot. */
  #hasButton(): boolean {
    return /^https:\/\/[^/]*\./.test(this.#configuration.publicUrl);
  }

  async #sendPlain(channelId: string, blocks: MessageBlock[]): Promise<PostResult> {
    const html = plainHtml(blocks);
    const content =
      html === null ? { text: plainText(blocks) } : { text: html, parse_mode: 'HTML' };
    return await this.#send('sendMessage', channelId, {
      ...content,
      link_preview_options: { is_disabled: true },
    });
  }

  async #send(method: string, channelId: string, content: object): Promise<PostResult> {
    const body = { ...addressee(channelId), ...content, ...this.#button() };
    const url = addressOf(this.#configuration, method);
    const result = await postJson(this.#client, url, body, classify);
    if (result.end !== 'moved') return this.#limitOf(channelId, result);
    return { ...result, teamId: teamIdOf(this.#configuration, result.channelId) };
  }

  /**
   * Telegram limits each chat and the bot as a whole (core.telegram.org/bots/faq), and does not say
   * which limit was met: it is the bot's where several chats in a row have to wait.
   */
  #limitOf(channelId: string, result: PostResult): PostResult {
    if (result.end === 'posted') this.#limited.clear();
    if (result.end !== 'transient' || result.code !== tooMany) return result;
    this.#limited.add(addressee(channelId).chat_id);
    return this.#limited.size < severalChats ? result : { ...result, limitScope: 'service' };
  }

  #button(): object {
    if (!this.#hasButton()) return {};
    const button = { text: 'Ouvrir Tirelire', url: `${this.#configuration.publicUrl}/` };
    return { reply_markup: { inline_keyboard: [[button]] } };
  }
}

const severalChats = 3;
