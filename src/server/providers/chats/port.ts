import type { Logger } from 'pino';
import type { TObject } from 'typebox';
import type { ChatOffer, Drawing } from '../../../shared/contract/chats.ts';
import type { Channel } from '../../../shared/contract/messengers.ts';
import type { Capacity } from '../../../shared/message/capacity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ErrorCode } from '../../platform/http/api-error.ts';
import type { SignedCall } from '../../platform/http/signed-route.ts';
import type { OpenGuardedClient } from '../../platform/http-client/guarded-client.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { ServiceCheck } from '../service-check.ts';
import type { BalanceCommand } from './balance-command.ts';
import type { Endpoint } from './endpoint.ts';
import type { OutgoingMessage, Pace, PostResult, Reason, Repeat } from './posting.ts';

/**
 * The name of a chat in rows, handles and addresses: lower-case letters, never changed once a row
 * holds it. Rows may hold one that is not registered any more.
 */
export type ChatKind = string;

/** What a chat is opened with. */
export interface ChatDeps {
  httpClient: HttpClient;
  /** Opens a client for the addresses that people paste. */
  openGuardedClient: OpenGuardedClient;
  clock: Clock;
  log: Logger;
}

/**
 * A chat, in our words: what it can do, what it is called, and the calls. Outside its folder no field
 * of its own is named. A secret is what a link gave, in a form that the chat's folder alone reads (a
 * token, an address, JSON): it is passed in opened, for one call, and never logged.
 */
export type ChatProvider = ChatBase & (ListedChannels | OneChannel);

interface ChatBase {
  /** As people write it. */
  name: string;
  /** The ways to link it; the first is the usual one. */
  linkings: readonly Linking[];
  /** Where API callers may hand over the chat's own token. */
  token?: TokenLinking;
  /** The calls by which the chat tells us what happened there. */
  events?: SignedEvents;
  /** The same, where the chat is asked for it: it then needs no public address of ours. */
  polling?: Polling;
  /** How people there ask for balances between two messages. */
  balanceCommand?: BalanceCommand;
  errors: ChatErrors;
  words: ChatWords;
  /** Keys of `reasons` that we write ourselves, where no post is made. */
  codes: {
    /** We have no access any more. */
    removed: string;
    /** The chat asked to wait, and still does. */
    limited: string;
  };
  /**
   * By code of a post that was not delivered. `network_*` and our own codes have common words, where it
   * has none.
   */
  reasons: Readonly<Record<string, Reason>>;
  repeat: Repeat;
  pace: Pace;
  capacity: Capacity;
  /** How it draws the list of accounts, for the preview. */
  drawing: Drawing;
  /** It draws charts: people may then choose one for a notification. */
  charts?: true;
  /** Whether it is reached and takes our credentials. Never throws for that. */
  check(): Promise<ServiceCheck>;
  /** Loads the code that its first post would wait for. Asked of a worker that has nothing to post. */
  load?(): Promise<void>;
  /** Ends what a secret belongs to. One that is dead already counts as done. */
  revoke(secret: string): Promise<void>;
  /**
   * What a secret belongs to, where that has another id than when it was linked, else null. `revoke` of
   * the old secret did not end it: people who linked it later may use it.
   */
  movedFrom?(secret: string): Promise<Pick<LinkedTeam, 'secret' | 'teamId'> | null>;
  /** Posts once. Never throws for an answer of the chat or the network: every end is a value. */
  post(secret: string, message: OutgoingMessage): Promise<PostResult>;
}

/** A link opens many channels, and people choose one for each notification. */
export interface ListedChannels {
  channels: 'listed';
  /** Below /api: where the list is read. */
  channelsPath: string;
  /** Channels that can be posted to, archived ones left out, all pages, in no particular order. */
  listChannels(secret: string): Promise<ChannelList>;
  findChannel(secret: string, channelId: string): Promise<ChatChannel | null>;
}

/** A link brings its only channel: nothing is left to choose. */
interface OneChannel {
  channels: 'one';
}

type Linking = ConsentLinking | FormLinking | InvitationLinking | MailboxLinking;

/** The browser leaves for the chat's page and comes back with a one-time code. */
export interface ConsentLinking {
  way: 'consent';
  connect: Endpoint;
  /** `query` describes what the browser brings back. */
  callback: Endpoint & { query: TObject };
  /** The page where the user lets the bot in. `state` comes back untouched. */
  authorizeUrl(request: { redirectUri: string; state: string }): string;
  readReturn(query: Record<string, unknown>): ConsentReturn;
  /** The one-time code against a link. A lost answer cannot be repeated. */
  exchangeCode(grant: { code: string; redirectUri: string }): Promise<LinkedTeam>;
  /** What the web app is told in `?notice=`. */
  notices: Record<'cancelled' | 'failed' | 'expired', string>;
  /** The same for an exchange that failed. */
  noticeOf(error: ChatProviderError): string;
}

/** `code` is null when the chat sent an error of its own instead. */
export interface ConsentReturn {
  state: string;
  isDeclined: boolean;
  code: string | null;
}

/** A form: the person copies an address or a token out of the chat. The API calls this way `address`. */
export interface FormLinking {
  way: 'address';
  /** What the person does in the chat before, in French. */
  steps: readonly string[];
  fields: readonly LinkField[];
  /**
   * French: the usual causes of a trial that the chat accepted and the person did not see. Null where
   * the chat says that a message was shown.
   */
  unseen: string | null;
  /** The values fit the patterns. Throws a `ChatProviderError` of kind `address` for a wrong one. */
  link(values: Partial<Record<LinkField['name'], string>>): Promise<LinkedTeam>;
}

/** A field of the form, as the web app is told of it. */
type LinkField = ChatOffer['linkings'][number]['fields'][number];

/** The person invites the bot, which then tells us with an event that carries `code`. */
export interface InvitationLinking {
  way: 'invitation';
  /**
   * Addresses that open the chat's own program: for the person alone, and to choose a group. Throws
   * `ChatProviderError` when the chat must first be asked, and fails.
   */
  invite(code: string): Promise<{ url: string; groupUrl: string | null }>;
}

/** Mails to an address whose owner wants them; there is no other side. */
export interface MailboxLinking {
  way: 'mailbox';
  /** Takes the one-click POST of mail programs (RFC 8058): the token follows the path. */
  unsubscription: Endpoint;
  /** The reason where the address is its user's own; that of any other one is `codes.removed`. */
  ownUnsubscribed: string;
  /**
   * The link of a confirmed address, whose only channel has this id of ours. `token` ends the mails
   * to this address, lets them come again after that, and opens nothing else.
   */
  link(channelId: string, recipient: { address: string; token: string }): LinkedTeam;
}

interface TokenLinking {
  /** What such a token looks like. */
  pattern: RegExp;
  identify(token: string): Promise<LinkedTeam>;
}

export interface LinkedTeam {
  secret: string;
  /** What two links to the same team have in common, made by the chat's folder. */
  teamId: string;
  /** Null where neither the chat nor the person gave one. */
  teamName: string | null;
  /** Where the chat names our bot in its events. */
  botUserId: string | null;
  /** The only channel where channels are `one`, else null. */
  channel: ChatChannel | null;
  /** What it allows, in the chat's words. */
  scope: string;
}

interface SignedEvents extends Endpoint {
  /** Null when the call is not signed by the chat, or not now. */
  read(call: SignedCall, now: Date): ChatEvent | null;
}

export type ChatEvent =
  /** The chat tries out our address, and wants this word back. */
  { kind: 'handshake'; challenge: string } | ChatRemoval | { kind: 'other' };

/** Events that the chat gives to one client at a time. */
export interface Polling {
  /**
   * Waits up to a minute for events and hands them over in order. `after` is what the call before
   * returned, null for the first: it tells the chat that those were taken. Ended by `signal` it returns
   * at once. Throws `ChatProviderError`, and what `take` throws for the first event. One for which `take`
   * throws is given again.
   */
  read(after: string | null, take: TakeEvent, signal: AbortSignal): Promise<string | null>;
}

/** False for an invitation with a code that is none, or none any more. */
export type TakeEvent = (event: ChatRemoval | ChatInvitation | ChatMove) => Promise<boolean>;

/** Somebody pressed the link of an invitation there. Only its user can say whether it was meant. */
export interface ChatInvitation {
  kind: 'invitation';
  code: string;
  link: LinkedTeam;
}

/** Our bot was taken out of a team. May be old, repeated or out of order. */
export interface ChatRemoval {
  kind: 'removal';
  teamId: string;
  /** Where a link has one channel, whose id may have changed since it was made. */
  channelId?: string;
  /** To the second, by the chat's clock. */
  at: Date;
  /** One of the chat's codes, for the words. */
  code: string;
  /** Whose secrets ended; null for all of them. */
  botUserIds: string[] | null;
}

/** A channel has another id now, for everybody who links it, and so has the team of each link. */
export interface ChatMove {
  kind: 'move';
  from: { teamId: string; channelId: string };
  to: { teamId: string; channelId: string };
}

/** The codes of the API that speak of this chat, with their status and French sentence. */
export interface ChatErrors {
  notConnected: ErrorCode;
  /** A handle, a token or an address that is none, or none any more. */
  linkInvalid: ErrorCode;
  refused: ErrorCode;
  unavailable: ErrorCode;
}

/** French. */
interface ChatWords {
  /** The destination after "dans", with its article: "l'espace … «\u202fAtelier\u202f»". */
  destination(teamName: string): string;
  /** Where messages arrive, as a part of a sentence, where "dans …" is not what people say. */
  phrase?(teamName: string): string;
  /** Who answers for it, at the beginning of a sentence, where that is not its name. */
  answerer?: string;
  /** A whole sentence: our access ended, link it again. */
  reconnect: string;
  /** The button that links a notification anew, where its destination is not called a channel. */
  relink?: string;
  /** A whole sentence beside each delivery, where the chat only accepts messages. */
  accepted?: string;
}

/** `isExternal`: it is shared with another company. */
export type ChatChannel = Channel;

/** `complete` is false when a limit or a failure cut the list: what there is is shown, and it is said. */
export interface ChannelList {
  channels: ChatChannel[];
  complete: boolean;
}

/**
 * What every call but `post` throws. `address`: what the person pasted belongs to no such chat;
 * `refused-host`: it does, on a host that is not allowed; the others have the classes of a post.
 */
export class ChatProviderError extends Error {
  readonly chat: ChatKind;
  readonly kind:
    | 'installation'
    | 'permission'
    | 'channel'
    | 'address'
    | 'refused-host'
    | 'fault'
    | 'unavailable';
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    chat: ChatKind,
    kind: ChatProviderError['kind'],
    code: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(`chat call failed: ${code}`, { cause: options.cause });
    this.name = 'ChatProviderError';
    this.chat = chat;
    this.kind = kind;
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The chat would be as silent about anything else just now. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ChatProviderError && error.kind === 'unavailable';
}
