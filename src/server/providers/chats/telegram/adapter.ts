import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import type { ServiceCheck } from '../../service-check.ts';
import { type ChatProvider, ChatProviderError } from '../port.ts';
import { tooMany } from './classify.ts';
import {
  createCaller,
  GroupMoved,
  isGroup,
  readBotName,
  rememberedBotName,
  type TelegramCall,
  type TelegramConfiguration,
  teamIdOf,
} from './client.ts';
import { capacity } from './drawing.ts';
import { TelegramPoster } from './post.ts';
import { pollingOf } from './updates.ts';
import { errors, name, reasons, words } from './words.ts';

/** Telegram by one bot of the installation (core.telegram.org/bots/api). A secret is the id of a chat. */
export function createTelegram(
  configuration: TelegramConfiguration,
  client: HttpClient,
): ChatProvider {
  const call = createCaller(client, configuration);
  const poster = new TelegramPoster(client, configuration);
  const botName = rememberedBotName(call);
  return {
    ...{ name, errors, words, reasons, capacity },
    linkings: [
      {
        way: 'invitation',
        // core.telegram.org/bots/features#deep-linking
        async invite(code) {
          const bot = `${configuration.linkUrl}/${await botName()}`;
          return { url: `${bot}?start=${code}`, groupUrl: `${bot}?startgroup=${code}` };
        },
      },
    ],
    polling: pollingOf(call, configuration),
    channels: 'one',
    drawing: 'table',
    codes: { removed: 'bot_removed', limited: tooMany },
    // A bot neither gives its messages a number nor can read what it sent.
    repeat: 'never',
    // Twenty a minute in a group, about thirty a second in all: core.telegram.org/bots/faq
    pace: { channelGapMs: 3000, perTeam: 1, perSecond: 25 },
    check: () => check(call),
    revoke: (chatId) => revoke(call, chatId),
    async movedFrom(chatId) {
      const secret = await movedFrom(call, chatId);
      return secret === null ? null : { secret, teamId: teamIdOf(configuration, secret) };
    },
    post: (_secret, message) => poster.post(message),
  };
}

/** Leaves a group. A person's conversation with the bot is the person's to end. */
async function revoke(call: TelegramCall, chatId: string): Promise<void> {
  if (!isGroup(chatId)) return;
  try {
    await call('leaveChat', { chat_id: chatId });
  } catch (error) {
    if (!(error instanceof ChatProviderError && goneAlready.has(error.kind))) throw error;
  }
}

/**
 * A group whose people change certain settings becomes a supergroup with another id. Leaving the old one
 * then fails without telling the new one, which a call for what needs the right to write does.
 */
async function movedFrom(call: TelegramCall, chatId: string): Promise<string | null> {
  if (!isGroup(chatId)) return null;
  try {
    await call('sendChatAction', { chat_id: chatId, action: 'typing' });
  } catch (error) {
    if (error instanceof GroupMoved) return error.movedTo;
    if (!(error instanceof ChatProviderError && goneAlready.has(error.kind))) throw error;
  }
  return null;
}

const goneAlready: ReadonlySet<string> = new Set(['installation', 'channel']);

/** Also which bot it is, and whether its events can be polled. */
async function check(call: TelegramCall): Promise<ServiceCheck> {
  try {
    const words = `Le bot s'appelle @${await readBotName(call)}.`;
    const { url } = Object(await call('getWebhookInfo', {}));
    return url ? { end: 'refused', code: 'webhook_set' } : { end: 'accepted', words };
  } catch (error) {
    if (!(error instanceof ChatProviderError)) throw error;
    return error.kind === 'unavailable'
      ? { end: 'unavailable', cause: error.code }
      : { end: 'refused', code: error.code };
  }
}
