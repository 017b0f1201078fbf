import type { Answered, Asked } from './listening.ts';

export type Fields = Record<string, unknown>;

export interface SlackToken {
  team: { id: string; name: string };
  scopes: string[];
  revoked: boolean;
}

export interface PostedMessage {
  channel: string;
  text: string;
  ts: string;
  fields: Fields;
  token: string;
}

/** A way for one call to end that is not its ordinary answer. */
export type Mishap =
  | { with: Answered }
  | { error: string; more?: Fields }
  /** The work is done and the answer lost. */
  | 'cut after the work'
  /** This one goes well: it stands before one that does not. */
  | 'none';

export interface SlackState {
  app: { id: string; generation: 'granular' | 'classic'; clientId: string; clientSecret: string };
  /** What may follow it is free: Slack compares the beginning. */
  redirectUrl: string;
  team: { id: string; name: string };
  channels: Fields[];
  now(): number;
  codes: Map<string, { redirectUri: string; scope: string; until: number; used: boolean }>;
  tokens: Map<string, SlackToken>;
  posted: PostedMessage[];
  mishaps: Map<string, Mishap[]>;
  answers: number;
}

/** One understood call: the fields of its form or JSON body over those of its query. */
export interface Call {
  asked: Asked;
  method: string;
  fields: Fields;
  token: string | undefined;
}

/** `ok: false`, which Slack sends with status 200. */
export class SlackRefusal extends Error {
  readonly code: string;
  readonly more: Fields;

  constructor(code: string, more: Fields = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** The bearer's installation, checked in Slack's order: none, unknown, revoked, scope. */
export function holderOf(state: SlackState, call: Call, needed: string | null): SlackToken {
  if (!call.token) throw new SlackRefusal('not_authed');
  const holder = state.tokens.get(call.token);
  if (!holder) throw new SlackRefusal('invalid_auth');
  if (holder.revoked) throw new SlackRefusal('account_inactive');
  if (needed && !mayDo(holder, needed)) {
    throw new SlackRefusal('missing_scope', { needed, provided: holder.scopes.join(',') });
  }
  return holder;
}

/** The umbrella `bot` of a classic app stands for every granular scope. */
export function mayDo({ scopes }: SlackToken, scope: string): boolean {
  return scopes.includes(scope) || scopes.includes('bot');
}
