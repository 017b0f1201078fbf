import { type Faults, faultControl } from '../service/faults.ts';
import type { RequestRecord } from '../service/request.ts';
import { type BotContext, countMentions, storeMessage } from './methods.ts';
import { type Chat, chatFields, groupOf, type TelegramFault } from './state.ts';

export type Control = ReturnType<typeof createControl>;

/** What people do in their own program, and tests behind it; over HTTP too, under `/_control/`. */
export function createControl({ context, faults, requests, wake, breakStalled }: ControlContext) {
  const { state, bot } = context;
  const chatOf = (id: number): Chat => {
    const chat = state.chats.find((one) => one.id === id);
    if (!chat) throw new Error(`no such chat: ${id}`);
    return chat;
  };
  const tell = (event: object): void => {
    state.updates.push({ update_id: state.nextUpdate, ...event });
    state.nextUpdate += 1;
    context.changed();
    wake();
  };
  const seconds = () => Math.floor(context.now().getTime() / 1000);
  /** The bot comes or goes. */
  const setMember = (chat: Chat, isThere: boolean): void => {
    chat.bot = isThere ? 'member' : 'out';
    const gone = chat.type === 'private' ? 'kicked' : 'left';
    const new_chat_member = { user: { id: bot.id }, status: isThere ? 'member' : gone };
    tell({ my_chat_member: { chat: chatFields(chat), date: seconds(), new_chat_member } });
  };
  return {
    ...faultControl(faults, requests, breakStalled),
    chats: () => state.chats,
    messages: (id: number) => chatOf(id).messages.filter(({ from }) => from === 'bot'),
    /** How many people all that the bot sent would have called. */
    mentionCount: () =>
      state.chats
        .flatMap(({ messages }) => messages.filter(({ from }) => from === 'bot'))
        .reduce((sum, message) => sum + countMentions(message), 0),
    clearMessages() {
      for (const chat of state.chats) chat.messages.length = 0;
      context.changed();
    },
    /**
     * Somebody presses a link with this code there, or types it in a topic; an empty one is a bare
     * `/start`.
     */
    start(id: number, code: string, topic?: number) {
      const chat = chatOf(id);
      if (chat.bot !== 'member') setMember(chat, true);
      const command = chat.type === 'private' ? '/start' : `/start@${bot.username}`;
      const text = code === '' ? command : `${command} ${code}`;
      const { id: message_id } = storeMessage(context, chat, {
        ...{ from: 'person', method: 'message', body: { text } },
      });
      const thread = topic && { message_thread_id: topic, is_topic_message: true };
      tell({ message: { message_id, date: seconds(), chat: chatFields(chat), text, ...thread } });
    },
    /**
     * `out`: blocks the bot or throws it out; `back`; `muted`; `upgrade`: a supergroup. Events are kept for
     * a day: `upgrade-unheard` is one whose events were not asked for in time.
     */
    act(id: number, action: string) {
      const chat = chatOf(id);
      if (action === 'out' || action === 'back') setMember(chat, action === 'back');
      if (action === 'muted') chat.bot = 'muted';
      if (action === 'upgrade' || action === 'upgrade-unheard') {
        const moved = upgrade(chat);
        if (moved && action === 'upgrade') tellOfMove(chat, moved);
      }
      context.changed();
    },
    setTopics(id: number, topics: number[]) {
      chatOf(id).topics = topics;
      context.changed();
    },
    addGroup(id: number, name: string) {
      state.chats.push(groupOf(id, name));
      context.changed();
    },
    setRichKnown(isKnown: boolean) {
      context.isRichKnown = isKnown;
    },
    conflicts: () => context.conflicts,
    setWebhook(url: string) {
      state.webhookUrl = url;
    },
  };

  function upgrade(chat: Chat): Chat | null {
    if (chat.type !== 'group') return null;
    const id = -1_001_000_000_000 + chat.id;
    chat.movedTo = id;
    const moved: Chat = { ...chat, id, type: 'supergroup', movedTo: null, messages: [] };
    state.chats.push(moved);
    return moved;
  }

  /** core.telegram.org/bots/api#message: two service messages, one in each of both chats. */
  function tellOfMove(chat: Chat, moved: Chat): void {
    const fields = { message_id: state.nextMessage, date: seconds() };
    tell({ message: { ...fields, chat: chatFields(chat), migrate_to_chat_id: moved.id } });
    tell({ message: { ...fields, chat: chatFields(moved), migrate_from_chat_id: chat.id } });
  }
}

interface ControlContext {
  context: BotContext;
  faults: Faults<TelegramFault>;
  requests: RequestRecord[];
  wake(): void;
  breakStalled(): void;
}
