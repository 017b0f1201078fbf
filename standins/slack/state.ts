/** What the chat knows. Channels come from the seed; only what differs from it is written down. */
export interface State {
  teams: Map<string, Team>;
  /** Every token ever given out, dead ones included, with its team. */
  tokens: Map<string, Team>;
  codes: Map<string, OneTimeCode>;
  /** One short row per posted message: team, channel, arrival (epoch ms), client_msg_id, ts. */
  log: LogRow[];
  lastTs: { seconds: number; counter: number };
}

type LogRow = [
  team: string,
  channel: string,
  receivedAt: number,
  clientMsgId: string | null,
  ts: string,
];

export interface Team {
  id: string;
  name: string;
  domain: string;
  /** A whole organisation: its installation belongs to no single team. */
  organisation: boolean;
  botUserId: string;
  botId: string;
  installation: Installation | null;
  channels: Map<string, Channel>;
  messages: Map<string, Message[]>;
}

export interface Installation {
  token: string;
  /** Comma-separated; a second authorisation adds to it. */
  scope: string;
}

export type Generation = 'classic' | 'granular';

export interface Channel {
  id: string;
  name: string;
  isPrivate: boolean;
  isMember: boolean;
  isArchived: boolean;
  isExternal: boolean;
  isReadOnly: boolean;
  isGeneral: boolean;
  members: number;
  /** Epoch seconds. */
  created: number;
}

export interface Message {
  ts: string;
  text: string;
  blocks: unknown[] | null;
  metadata: unknown;
  clientMsgId: string | null;
}

export interface OneTimeCode {
  teamId: string;
  scope: string;
  generation: Generation;
  clientId: string;
  redirectUri: string | null;
  /** Epoch ms. */
  expiresAt: number;
  used: boolean;
}

export function createState(teams: Team[]): State {
  return {
    teams: new Map(teams.map((team) => [team.id, team])),
    tokens: new Map(),
    codes: new Map(),
    log: [],
    lastTs: { seconds: 0, counter: 0 },
  };
}

/** The next message id: unique, and never smaller than the one before, whatever the clock does. */
export function nextTs(state: State, now: Date): string {
  const last = state.lastTs;
  const seconds = Math.floor(now.getTime() / 1000);
  if (seconds > last.seconds) state.lastTs = { seconds, counter: 100 };
  else if (last.counter < 999_999) last.counter += 1;
  else state.lastTs = { seconds: last.seconds + 1, counter: 100 };
  return `${state.lastTs.seconds}.${String(state.lastTs.counter).padStart(6, '0')}`;
}
