import type { Logger } from 'pino';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { ServiceCheck } from '../service-check.ts';
import type { SignedCall } from '../signed-call.ts';

/** What a chat is opened with. */
export interface ChatOutside {
  httpClient: HttpClient;
  clock: Clock;
  log: Logger;
}

/**
 * A team chat, in our words. Outside `providers/slack/` nobody names a field of Slack.
 * A token is the chat's secret: it is passed in opened, for one call, and never logged.
 */
export interface ChatProvider {
  /** Whether it is reached and takes our credentials. Never throws for that. */
  check(): Promise<ServiceCheck>;
  /** The page where the user lets the bot in. `state` comes back untouched. */
  authorizeUrl(options: { redirectUri: string; state: string }): string;
  /** The one-time code against an installation. A lost answer cannot be repeated. */
  exchangeCode(options: { code: string; redirectUri: string }): Promise<Installation>;
  /** What a token given by an API caller is good for. */
  identify(token: string): Promise<Installation>;
  /** Ends the installation a token belongs to. A token that is dead already counts as done. */
  withdraw(token: string): Promise<void>;
  /** Channels the bot can see, archived ones left out, all pages, in no particular order. */
  listChannels(token: string): Promise<ChannelList>;
  findChannel(token: string, channelId: string): Promise<ChatChannel | null>;
  /** Posts once. Never throws for an answer of the chat or the network: every end is a value. */
  post(token: string, message: OutgoingMessage): Promise<PostResult>;
  /** What the chat tells by itself; null when the call is not signed by it, or not now. */
  readNotice(call: SignedCall, now: Date): ChatNotice | null;
}

export type ChatNotice =
  /** The chat tries out our address, and wants this word back. */
  { kind: 'handshake'; challenge: string } | ChatRemoval | { kind: 'other' };

/** Our bot was taken out of a team. May be old, repeated or out of order. */
export interface ChatRemoval {
  kind: 'removal';
  teamId: string;
  /** To the second, by the chat's clock. */
  at: Date;
  /** A chat error code, for the words; see deliveries/reasons.ts. */
  code: string;
  /** Whose tokens ended; null for all of them. */
  botUserIds: string[] | null;
}

export interface Installation {
  token: string;
  teamId: string;
  teamName: string;
  botUserId: string | null;
  scope: string;
}

export interface ChatChannel {
  id: string;
  name: string;
  isPrivate: boolean;
  /** Shared with another company. */
  isExternal: boolean;
}

/** `complete` is false when a limit or a failure cut the list: what there is is shown, and it is said. */
export interface ChannelList {
  channels: ChatChannel[];
  complete: boolean;
}

export interface OutgoingMessage {
  channelId: string;
  /** As its author typed it; *bold* and the like count. No mention in it reaches anybody. */
  text: string;
  /** The same, to be drawn; the text is then what notifications and screen readers say. */
  blocks?: MessageBlock[];
  /** A UUID that stays the same when the message is sent again. */
  clientMessageId: string;
}

/**
 * How a post ended. The six classes of failure fold into four ends:
 * `permanent` the user must act (A installation, B permission, C channel);
 * `fault` our own (D); `transient` nothing was posted (E); `ambiguous` it may stand in the chat (F).
 */
export type PostResult =
  | { end: 'posted'; ts: string /** Why the text went out alone. */; undrawn?: string }
  | { end: 'permanent'; cause: 'installation' | 'permission' | 'channel'; code: string }
  | { end: 'fault'; code: string }
  | { end: 'transient'; code: string; retryAfterSeconds: number | null }
  | { end: 'ambiguous'; code: string };

/** What every call but `post` throws, with the same classes. */
export class ChatProviderError extends Error {
  readonly kind: 'installation' | 'permission' | 'channel' | 'fault' | 'unavailable';
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: ChatProviderError['kind'],
    code: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(`chat call failed: ${code}`, { cause: options.cause });
    this.name = 'ChatProviderError';
    this.kind = kind;
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The chat would be as silent about anything else just now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ChatProviderError && error.kind === 'unavailable';
}
