import { send } from './api.ts';
import type { Demonstration } from './demonstration.ts';

/** The demonstration's chat, moved from behind. */
export interface Chat {
  /** Lets the bot into a workspace and returns its token. */
  install(team?: string): Promise<string>;
  /** Removes the bot from it. */
  uninstall(team: string): Promise<void>;
  fail(fault: Fault): Promise<void>;
  recover(): Promise<void>;
  setChannel(team: string, channel: string, change: Record<string, unknown>): Promise<void>;
  /** The texts posted to a channel, oldest first. */
  texts(team: string, channel: string): Promise<string[]>;
}

interface Fault {
  kind: 'drop' | 'stall' | 'status' | 'html' | 'ratelimited' | 'error' | 'delay';
  method?: string;
  channel?: string;
  /** Null for ever; 1 when left out. */
  times?: number | null;
  status?: number;
  code?: string;
  ms?: number;
}

/** A small workspace of the demonstration, and two of its channels. */
export const fontaine = {
  id: 'T0FONTAINE',
  name: 'Maison Fontaine',
  general: 'C0FGENERAL0',
  treasury: 'C0FTRESOR00',
  external: 'C0FEXPERT00',
};

/** The one with 3,000 channels. */
export const bonnard = { id: 'T0BONNARD', name: 'Atelier Bonnard', general: 'C0BGENERAL0' };
export const lenoir = { id: 'T0LENOIR', name: 'Cabinet Lenoir', general: 'C0LGENERAL0' };

export function chatOf({ chatUrl }: Pick<Demonstration, 'chatUrl'>): Chat {
  const control = async <Result>(name: string, ...body: unknown[]): Promise<Result> => {
    const { result } = await send<{ result: Result }>('POST', `${chatUrl}/_control/${name}`, {
      body,
    });
    return result;
  };
  return {
    install: (team = fontaine.id) => control('install', team),
    uninstall: (team) => control('uninstall', team),
    fail: (fault) => control('addFault', fault),
    recover: () => control('clearFaults'),
    setChannel: (team, channel, change) => control('setChannel', team, channel, change),
    async texts(team, channel) {
      const messages = await control<{ text: string }[]>('messages', team, channel);
      return messages.map(({ text }) => text);
    },
  };
}
