import { type Answer, json } from '../service/responses.ts';
import { type Chat, chatFields, type Message, type State } from './state.ts';

export interface BotContext {
  state: State;
  bot: { id: number; username: string };
  /** False plays a server of the Bot API of before June 2026. */
  isRichKnown: boolean;
  /** How often two asked for the events at once. */
  conflicts: number;
  now(): Date;
  changed(): void;
}

type Body = Record<string, unknown>;

/** core.telegram.org/bots/api: what the product calls, but for `getUpdates`. */
export function runMethod(context: BotContext, method: string, body: Body): Answer {
  const { state, bot, isRichKnown } = context;
  switch (method) {
    case 'getMe':
      return done({ ...bot, is_bot: true, first_name: 'Tirelire', can_join_groups: true });
    case 'getWebhookInfo':
      return done({ url: state.webhookUrl, pending_update_count: state.updates.length });
    case 'sendMessage':
      return sendTo(context, body, method, textFault(body));
    case 'sendRichMessage':
      if (isRichKnown) return sendTo(context, body, method, richFault(body));
      break;
    case 'sendChatAction':
      return withChat(state, body, () => done(true));
    case 'leaveChat':
      // Of a group that became another one, it does not tell the new id: reading it is allowed.
      if (state.chats.some(({ id, movedTo }) => id === Number(body.chat_id) && movedTo !== null))
        return refusal(400, 'Bad Request: chat is deactivated');
      return withChat(state, body, (chat) => {
        chat.bot = 'out';
        context.changed();
        return done(true);
      });
  }
  return refusal(404, 'Not Found: method not found');
}

export function done(result: unknown): Answer {
  return json(200, { ok: true, result });
}

export function refusal(code: number, description: string, parameters?: object): Answer {
  const body = { ok: false, error_code: code, description, ...(parameters && { parameters }) };
  const { retry_after } = Object(parameters);
  return json(code, body, retry_after ? { 'retry-after': String(retry_after) } : {});
}

function withChat(state: State, { chat_id }: Body, work: (chat: Chat) => Answer): Answer {
  const chat = state.chats.find(({ id }) => String(id) === String(chat_id));
  if (!chat) {
    const moved = state.chats.find(({ movedTo }) => movedTo === Number(chat_id));
    if (!moved) return refusal(400, 'Bad Request: chat not found');
    return work(moved);
  }
  if (chat.movedTo !== null) {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    return refusal(400, description, { migrate_to_chat_id: chat.movedTo });
  }
  if (chat.bot === 'stranger' && chat.type === 'private') {
    return refusal(403, "Forbidden: bot can't initiate conversation with a user");
  }
  if (chat.bot === 'muted') {
    return refusal(400, 'Bad Request: not enough rights to send text messages to the chat');
  }
  if (chat.bot !== 'member') {
    const words = {
      private: 'bot was blocked by the user',
      group: 'bot was kicked from the group chat',
      supergroup: 'bot was kicked from the supergroup chat',
    };
    return refusal(403, `Forbidden: ${words[chat.type]}`);
  }
  return work(chat);
}

function sendTo(context: BotContext, body: Body, method: string, fault: string | null): Answer {
  return withChat(context.state, body, (chat) => {
    const { message_thread_id: thread } = body;
    if (thread !== undefined && !chat.topics?.includes(Number(thread))) {
      return refusal(400, 'Bad Request: message thread not found');
    }
    if (fault) return refusal(400, `Bad Request: ${fault}`);
    const message = storeMessage(context, chat, { from: 'bot', method, body });
    const date = Math.floor(context.now().getTime() / 1000);
    return done({ message_id: message.id, date, chat: chatFields(chat) });
  });
}

const keptMessages = 200;

export function storeMessage(
  { state, now, changed }: BotContext,
  chat: Chat,
  given: Pick<Message, 'from' | 'method' | 'body'>,
): Message {
  const message = { id: state.nextMessage, at: now().toISOString(), ...given };
  state.nextMessage += 1;
  chat.messages.push(message);
  if (chat.messages.length > keptMessages) chat.messages.shift();
  changed();
  return message;
}

function textFault({ text, parse_mode, reply_markup }: Body): string | null {
  const written = String(text ?? '');
  const faultOfHtml = parse_mode === 'HTML' ? htmlFault(written) : null;
  if (faultOfHtml) return `can't parse entities: ${faultOfHtml}`;
  const shown =
    parse_mode === 'HTML' ? written.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '.') : written;
  if (shown.trim() === '') return 'message text is empty';
  return shown.length > 4096 ? 'message is too long' : buttonFault(reply_markup);
}

/** core.telegram.org/bots/api#html-style: known tags, closed in order, and no other sign of HTML. */
function htmlFault(html: string): string | null {
  const open: string[] = [];
  for (const [all, end, tag = ''] of html.matchAll(/<(\/?)([a-z-]*)(?: href="[^"<>]*")?>|</g)) {
    if (all === '<' || !knownTags.has(tag)) return `unsupported start tag "${tag}"`;
    if (!end) open.push(tag);
    else if (open.pop() !== tag) return `unmatched end tag "${tag}"`;
  }
  if (/&(?!(?:lt|gt|amp|quot|#\d+);)/.test(html)) return 'unknown entity';
  return open.length > 0 ? `can't find end tag of "${open.at(-1)}"` : null;
}

const knownTags = new Set(['b', 'i', 'u', 's', 'code', 'pre', 'a', 'blockquote', 'tg-spoiler']);

function richFault({ rich_message, reply_markup }: Body): string | null {
  const { blocks } = Object(rich_message);
  if (!Array.isArray(blocks) || blocks.length === 0) return 'message text is empty';
  if (blocks.some(({ type }) => !knownBlocks.has(type))) return "can't parse rich message: block";
  const rows = blocks.reduce((sum, { cells = [] }) => sum + cells.length, blocks.length);
  if (rows > 500 || textContent(blocks).length > 32_768) return 'message is too long';
  return buttonFault(reply_markup);
}

const knownBlocks = new Set(['paragraph', 'heading', 'pre', 'footer', 'divider', 'table']);

/** A host needs a dot: github.com/tdlib/td, LinkManager.cpp. */
function buttonFault(markup: unknown): string | null {
  const { inline_keyboard: rows = [] } = Object(markup);
  const urls: string[] = rows.flat().map((button: { url?: string }) => button.url ?? '');
  const wrong = urls.find((url) => /^https?:\/\/(127\.|\[|[^./]*(\/|$))/.test(url));
  return wrong ? `inline keyboard button URL '${wrong}' is invalid: Wrong HTTP URL` : null;
}

/** All the letters of a rich text, whatever it is made of. */
export function textContent(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textContent).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { text, cells = [], blocks = [] } = value as Record<string, unknown>;
  const apart = [...(cells as unknown[][]).flat(), ...(blocks as unknown[])];
  return textContent(text) + apart.map((one) => `\n${textContent(one)}`).join('');
}

/**
 * How many people a message calls: every `@name` is one, wherever it stands but in code, unless the
 * message asks that nothing be looked for; and every link to a person.
 */
export function countMentions({ body }: Pick<Message, 'body'>): number {
  const { text, parse_mode, rich_message: rich } = body;
  const written = rich ? JSON.stringify(rich) : parse_mode === 'HTML' ? String(text) : '';
  const links = written.match(/href="tg:|"url":"tg:|"type":"(text_)?mention"/g)?.length ?? 0;
  // Counted in rich messages too, although they ask not to be searched: not every program obeys.
  const letters = rich ? textContent(rich) : shownLetters(String(text ?? ''), parse_mode);
  return links + (letters.match(/(?<![\p{L}\p{N}_])@[A-Za-z0-9_]{2,32}/gu)?.length ?? 0);
}

/** Without code, where a name calls no one, and without what tags hold. */
function shownLetters(text: string, mode: unknown): string {
  if (mode !== 'HTML') return text;
  return text.replace(/<(pre|code)>[^<]*<\/\1>/g, ' ').replace(/<[^>]*>/g, '');
}
