import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import { networkCode, printable, readObject } from '../json-posting.ts';
import { ChatProviderError } from '../port.ts';

export interface TelegramConfiguration {
  /** Without a trailing slash. */
  apiUrl: string;
  /** Where links open the chat; without a trailing slash. */
  linkUrl: string;
  /** It stands in the address of every call: no address of these is ever logged. */
  token: string;
  /** Of the product, without a trailing slash. */
  publicUrl: string;
}

export function addressOf({ apiUrl, token }: TelegramConfiguration, method: string): string {
  return `${apiUrl}/bot${token}/${method}`;
}

/** The first part of the token is the id of the bot. */
export function botIdOf({ token }: TelegramConfiguration): string {
  return token.split(':', 1)[0] ?? '';
}

export function teamIdOf(configuration: TelegramConfiguration, chatId: string): string {
  return `${botIdOf(configuration)}/${chatId}`;
}

/** A chat, or a topic of one: `<chat id>_<thread id>`. */
export function channelIdOf(chatId: number, threadId: number | undefined): string {
  return threadId === undefined ? String(chatId) : `${chatId}_${threadId}`;
}

/** The parameters of a call that write there. */
export function addressee(channelId: string): { chat_id: string; message_thread_id?: number } {
  const [chatId = '', threadId] = channelId.split('_');
  return { chat_id: chatId, ...(threadId && { message_thread_id: Number(threadId) }) };
}

/** A number that belongs to people, groups and channels alike: negative for all but people. */
export function isGroup(chatId: string): boolean {
  return chatId.startsWith('-');
}

export interface ApiRefusal {
  /** Equal to the status. */
  code: number;
  /** English prose, in fixed words. */
  description: string;
  retryAfterSeconds: number | null;
  /** The new id of a group that became a supergroup. */
  movedTo: string | null;
}

/** core.telegram.org/bots/api#making-requests. Null when the answer says that the call succeeded. */
export function refusalOf({ status, body, headers }: IncomingResponse): ApiRefusal | null {
  const answer = readObject(body);
  if (status === 200 && answer?.ok === true) return null;
  const parameters = Object(answer?.parameters);
  const wait = Number(parameters.retry_after ?? headers['retry-after'] ?? Number.NaN);
  const { migrate_to_chat_id: movedTo } = parameters;
  return {
    code: status,
    description: printable(answer?.description),
    retryAfterSeconds: Number.isFinite(wait) ? Math.max(1, Math.ceil(wait)) : null,
    movedTo: Number.isSafeInteger(movedTo) ? String(movedTo) : null,
  };
}

/** The call was for a group that has become the supergroup `movedTo`. */
export class GroupMoved extends ChatProviderError {
  readonly movedTo: string;

  constructor(movedTo: string) {
    super('telegram', 'channel', 'moved');
    this.movedTo = movedTo;
  }
}

/** The result of any call but a post. Throws `ChatProviderError`. */
export type TelegramCall = (
  method: string,
  parameters: object,
  options?: { timeoutMs?: number; maxBytes?: number; signal?: AbortSignal },
) => Promise<unknown>;

export function createCaller(
  client: HttpClient,
  configuration: TelegramConfiguration,
): TelegramCall {
  return async (method, parameters, { timeoutMs = 10_000, ...options } = {}) => {
    const answer = await client
      .request({
        method: 'POST',
        url: addressOf(configuration, method),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        timeoutMs,
        ...options,
      })
      .catch((error: unknown) => {
        if (!(error instanceof NetworkError)) throw error;
        throw new ChatProviderError('telegram', 'unavailable', networkCode(error), {
          cause: error,
        });
      });
    const refusal = refusalOf(answer);
    if (!refusal) return readObject(answer.body)?.result;
    const { code, description, retryAfterSeconds, movedTo } = refusal;
    if (movedTo !== null) throw new GroupMoved(movedTo);
    throw new ChatProviderError('telegram', kindOf(refusal), description || `http_${code}`, {
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    });
  };
}

/**
 * The bot's name, without the `@`: asked when it is first needed, and again only after a failure. The
 * returned function throws `ChatProviderError`.
 */
export function rememberedBotName(call: TelegramCall): () => Promise<string> {
  let known: Promise<string> | null = null;
  return () => {
    known ??= readBotName(call).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

/** core.telegram.org/bots/api#getme */
export async function readBotName(call: TelegramCall): Promise<string> {
  const { username } = Object(await call('getMe', {}));
  if (typeof username === 'string' && /^\w+$/.test(username)) return username;
  throw new ChatProviderError('telegram', 'unavailable', 'unreadable_answer');
}

/** Without its sentence, a proxy or a firewall refused the call, not Telegram. */
export function isOfProxy(code: number, description: string): boolean {
  return description === '' || !description.startsWith(beginnings[code] ?? '');
}

const beginnings: Record<number, string | undefined> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

/** 409: another program asks for the events of this bot, or has them sent to an address. */
function kindOf({ code, description }: ApiRefusal): ChatProviderError['kind'] {
  if (isOfProxy(code, description)) return 'unavailable';
  if (code === 401 || code === 404) return 'fault';
  if (code === 403) return 'installation';
  return code === 400 ? 'channel' : 'unavailable';
}
