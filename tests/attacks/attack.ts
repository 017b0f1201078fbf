import type { Bank } from '../browser/support/bank.ts';
import type { Chat } from '../browser/support/chat.ts';
import type { Demonstration } from '../browser/support/demonstration.ts';
import type { Client, Person } from '../support/person.ts';

/**
 * What somebody from outside tries on a running server. `npm run test:attack` runs the default export of
 * every `*.attack.ts` in this folder; another one is another file.
 */
export interface Attack<Prepared = unknown> {
  /** What is tried, in a line. */
  name: string;
  /**
   * It may be tried at an installation that people use: it makes no account, sends no mail, costs the
   * server next to nothing, and calls `target.own` nowhere.
   */
  harmless: boolean;
  /** What has to be there before. */
  prepare(target: Target): Promise<Prepared>;
  /** Tries it, and throws when it gets through. Returns what was seen: figures, codes. */
  expect(target: Target, prepared: Prepared): Promise<string>;
}

/** Says the type of what `prepare` gives and `expect` takes. */
export function attack<Prepared>(given: Attack<Prepared>): Attack<Prepared> {
  return given;
}

export interface Target {
  /** Without a trailing slash. */
  url: string;
  /** Somebody without a session. */
  visitor: Client;
  /** The server that the command started. Throws at an installation that people use. */
  own(): OwnServer;
}

interface OwnServer {
  demo: Demonstration;
  /** The outside services, moved from behind. */
  bank: Bank;
  chat: Chat;
  /** Somebody new with a session. */
  signUp(details?: Partial<Person['details']>): Promise<Person>;
  /** One more server, with these variables. Its caller stops it. */
  startAnother(settings: Record<string, string>): Promise<Demonstration>;
}
