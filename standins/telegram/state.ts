import type { Fault } from '../service/faults.ts';

export interface TelegramFault extends Fault {
  /** Any that sends a message without it. */
  method?: string;
  /** The id of the only chat that it strikes. */
  chat?: number;
}

/** What is known of one chat: a person alone with the bot, or a group. */
export interface Chat {
  id: number;
  type: 'private' | 'group' | 'supergroup';
  name: string;
  /** Whether the bot is there: `stranger` before anybody pressed a link. */
  bot: 'stranger' | 'member' | 'out' | 'muted';
  /** The id that a group got when it became a supergroup. */
  movedTo: number | null;
  /** The threads of a forum. */
  topics?: number[];
  messages: Message[];
}

export interface Message {
  id: number;
  /** ISO 8601. */
  at: string;
  from: 'bot' | 'person';
  method: string;
  /** The parameters of the call; of a person, `text` alone. */
  body: Record<string, unknown>;
}

export interface Update {
  update_id: number;
  [event: string]: unknown;
}

export interface State {
  chats: Chat[];
  updates: Update[];
  nextUpdate: number;
  nextMessage: number;
  webhookUrl: string;
}

/** The same in every demonstration: a chat that was linked once can be linked again. */
export function firstState(): State {
  return {
    chats: [
      newChat(7_100_000_001, 'private', 'Ana Durand'),
      groupOf(-4_100_000_002, 'Famille Martin'),
      newChat(-1_001_000_000_003, 'supergroup', 'Association des Lilas'),
    ],
    ...{ updates: [], nextUpdate: 5001, nextMessage: 1, webhookUrl: '' },
  };
}

export function groupOf(id: number, name: string): Chat {
  return newChat(id, 'group', name);
}

function newChat(id: number, type: Chat['type'], name: string): Chat {
  return { id, type, name, bot: 'stranger', movedTo: null, messages: [] };
}

/** As the Bot API names a chat. */
export function chatFields({ id, type, name }: Chat): object {
  if (type !== 'private') return { id, type, title: name };
  const [first_name, last_name] = name.split(' ');
  return { id, type, first_name, last_name };
}
