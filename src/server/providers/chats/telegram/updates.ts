import type { ChatRemoval, LinkedTeam, Polling, TakeEvent } from '../port.ts';
import {
  addressee,
  botIdOf,
  channelIdOf,
  type TelegramCall,
  type TelegramConfiguration,
  teamIdOf,
} from './client.ts';

/** How long Telegram holds a call back while nothing happens, in seconds. */
const pollSeconds = 50;

/**
 * Anybody may write to the bot, at length. An answer that is too large would be given again, and again be
 * too large.
 */
const perPoll = { updates: 20, maxBytes: 16 * 1024 * 1024 };

/**
 * core.telegram.org/bots/api#getting-updates, by long polling. Telegram gives them to one client, and
 * again until the next call names a higher number.
 */
export function pollingOf(call: TelegramCall, configuration: TelegramConfiguration): Polling {
  return {
    async read(after, take, signal) {
      const asked = {
        ...(after === null ? {} : { offset: Number(after) }),
        timeout: pollSeconds,
        limit: perPoll.updates,
        allowed_updates: ['message', 'my_chat_member'],
      };
      const options = { timeoutMs: (pollSeconds + 10) * 1000, maxBytes: perPoll.maxBytes, signal };
      const updates = await call('getUpdates', asked, options).catch((error) => {
        if (signal.aborted) return [];
        throw error;
      });
      let next = after;
      for (const update of Array.isArray(updates) ? (updates as Update[]) : []) {
        if (!Number.isSafeInteger(update.update_id)) continue;
        // The rest is given again to whoever asks next.
        if (signal.aborted) break;
        try {
          await handleUpdate({ call, configuration, take, signal }, update);
        } catch (error) {
          // What was taken and answered is not given again with this one.
          if (next === after) throw error;
          break;
        }
        next = String(update.update_id + 1);
      }
      return next;
    },
  };
}

/** The fields that are read: core.telegram.org/bots/api#update. */
interface Update {
  update_id: number;
  message?: {
    chat?: Chat;
    text?: string;
    /** Of a topic only where `is_topic_message`; else of an answer to another message. */
    message_thread_id?: number;
    is_topic_message?: boolean;
    migrate_to_chat_id?: number;
  };
  my_chat_member?: { chat?: Chat; date?: number; new_chat_member?: { status?: string } };
}

interface Chat {
  id: number;
  type?: string;
  title?: string;
  first_name?: string;
  last_name?: string;
}

interface Handling {
  call: TelegramCall;
  configuration: TelegramConfiguration;
  take: TakeEvent;
  signal: AbortSignal;
}

async function handleUpdate(
  { call, configuration, take, signal }: Handling,
  { message, my_chat_member: membership }: Update,
): Promise<void> {
  if (membership) {
    const removal = removalOf(configuration, membership);
    if (removal) await take(removal);
    return;
  }
  const { chat, text = '', migrate_to_chat_id: movedTo } = message ?? {};
  if (chat && Number.isSafeInteger(movedTo)) {
    const [from, to] = [chat.id, movedTo].map((id) => placeOf(configuration, String(id)));
    if (from && to) await take({ kind: 'move', from, to });
    return;
  }
  const [isStart, code] = /^\/start(?:@\w+)?(?:\s+([\w-]{1,64}))?\s*$/.exec(text) ?? [];
  if (!isStart || !chat || !Number.isSafeInteger(chat.id)) return;
  const topic = message?.is_topic_message ? message.message_thread_id : undefined;
  const channelId = channelIdOf(chat.id, topic);
  const words = await takeInvitation(code, linkOf(configuration, chat, channelId), take);
  // The link stands without this answer: it is not worth a second call.
  await call('sendMessage', { ...addressee(channelId), text: words }, { signal }).catch(() => {});
}

/** Returns what is answered there. */
async function takeInvitation(
  code: string | undefined,
  link: LinkedTeam,
  take: TakeEvent,
): Promise<string> {
  if (code === undefined) return answers.bare;
  const isGood = await take({ kind: 'invitation', code, link });
  return isGood ? answers.good : answers.spent;
}

const answers = {
  good: "Revenez dans Tirelire pour confirmer que c'est bien ici que vos messages doivent arriver.",
  spent: "Ce lien n'est plus valable. Demandez-en un autre dans Tirelire.",
  bare: "Pour recevoir ici vos soldes, reliez Telegram dans Tirelire et ouvrez le lien qu'elle vous donne.",
};

function removalOf(
  configuration: TelegramConfiguration,
  { chat, date, new_chat_member: member }: NonNullable<Update['my_chat_member']>,
): ChatRemoval | null {
  if (!chat || (member?.status !== 'kicked' && member?.status !== 'left')) return null;
  return {
    kind: 'removal',
    teamId: teamIdOf(configuration, String(chat.id)),
    channelId: String(chat.id),
    at: new Date((date ?? 0) * 1000),
    code: chat.type === 'private' ? 'bot_blocked' : 'bot_removed',
    botUserIds: null,
  };
}

function placeOf(configuration: TelegramConfiguration, channelId: string) {
  return { teamId: teamIdOf(configuration, channelId), channelId };
}

function linkOf(configuration: TelegramConfiguration, chat: Chat, channelId: string): LinkedTeam {
  const name = nameOf(chat);
  const id = String(chat.id);
  return {
    secret: id,
    teamId: teamIdOf(configuration, id),
    teamName: name,
    botUserId: botIdOf(configuration),
    channel: { id: channelId, name, isPrivate: true, isExternal: false },
    scope: chat.type ?? '',
  };
}

/** Given by people, so of any length and with any sign. */
function nameOf({ title, first_name: first = '', last_name: last = '' }: Chat): string {
  const name = (title ?? `${first} ${last}`).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...name].slice(0, 80).join('') || 'Telegram';
}
