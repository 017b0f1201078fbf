import type { Raw } from './bridge-world.ts';

export interface BridgeUser {
  uuid: string;
  external_user_id?: string;
  items: Raw[];
  accounts: Raw[];
  /** When each token was asked for, in epoch milliseconds. */
  tokensAsked: number[];
  /** When each management session of an item was opened. */
  managed: Map<number, number[]>;
}

export interface Visit {
  user: BridgeUser;
  body: { callback_url?: string; context?: string; item_id?: number };
}

export interface BridgeState {
  clientId: string;
  clientSecret: string;
  /** The only domain the dashboard authorises for `callback_url`. */
  callbackHost: string;
  now(): number;
  users: Map<string, BridgeUser>;
  tokens: Map<string, { user: BridgeUser; until: number }>;
  visits: Map<string, Visit>;
  /** How often a habit was shown: each takes turns. */
  turns: Map<string, number>;
}

/** The documented refusals, and a few plausible ones where the documentation is silent. */
export class BridgeRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly property: string | undefined;

  constructor(status: number, code: string, property?: string) {
    super(`refused: ${code}`);
    this.status = status;
    this.code = code;
    this.property = property;
  }
}

/** The next of `choices`, in turn, for one habit. */
export function turn<T>(state: Pick<BridgeState, 'turns'>, habit: string, choices: T[]): T {
  const count = state.turns.get(habit) ?? 0;
  state.turns.set(habit, count + 1);
  return choices[count % choices.length] as T;
}
