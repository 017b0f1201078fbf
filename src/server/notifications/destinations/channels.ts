import type { Clock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import {
  type ChannelList,
  type ChatChannel,
  type ChatKind,
  type ChatProvider,
  ChatProviderError,
  type ListedChannels,
} from '../../providers/chats/port.ts';
import { chatOf } from '../chats.ts';
import type { NotificationsDeps } from '../deps.ts';
import { invalidMessenger } from '../messages/checking.ts';
import { pauseAfterRefusal } from './pausing.ts';
import {
  channelOf,
  type DestinationRow,
  findConnectedDestination,
  findDestinationOf,
  openSecret,
  renameChannels,
} from './queries.ts';
import { refusalOfRemoval } from './removal.ts';

interface Asked {
  userId: string;
  /** The chat whose channels are asked for. */
  kind: ChatKind;
  /** Whose destination is meant; the current one without. */
  messengerId?: string | undefined;
  /** Whether a list that is kept is not new enough. */
  refresh: boolean;
}

/**
 * The channels of a notification's destination, or of the current one, sorted as French readers do. The
 * notifications of that destination take on the names that its channels have now.
 */
export async function listChannels(
  deps: NotificationsDeps,
  cache: ChannelCache,
  chat: ChatProvider & ListedChannels,
  asked: Asked,
): Promise<ChannelList> {
  const destination = await chooseDestination(deps, asked);
  if (destination?.state !== 'connected') throw new ApiError(chat.errors.notConnected);
  try {
    const secret = openSecret(deps, destination);
    const load = () => chat.listChannels(secret);
    const list = await cache.read(sha256Hex(secret), asked.refresh, load);
    await renameChannels(deps.database.sql, destination, list.channels);
    return list;
  } catch (error) {
    if (!(error instanceof ChatProviderError) || error.kind !== 'installation') throw error;
    // Found out while reading, it has the same consequences as found out while sending.
    const refusal = refusalOfRemoval(destination, error.code);
    await inTransaction(deps.database.sql, (transaction) =>
      pauseAfterRefusal(deps, transaction, refusal, deps.clock.now()),
    );
    throw new ApiError(chat.errors.refused, { message: chat.words.reconnect, cause: error });
  }
}

async function chooseDestination(
  deps: NotificationsDeps,
  { userId, kind, messengerId }: Asked,
): Promise<DestinationRow | null> {
  if (messengerId === undefined) return await findConnectedDestination(deps, userId, kind);
  const destination = await findDestinationOf(deps.database.sql, userId, messengerId);
  if (destination?.chat !== kind) throw new ApiError(httpErrors.Not_Found);
  return destination;
}

/**
 * The channel that a request chooses for a notification: one that its destination lists now, by its
 * chat's own answer. Null where nothing is chosen, for the channel that it has already, and for an
 * unknown notification. Throws `Invalid_Messenger`, the chat's `notConnected` and what the chat throws.
 */
export async function chooseChannel(
  deps: NotificationsDeps,
  userId: string,
  messengerId: string,
  channelId: string | undefined,
): Promise<ChatChannel | null> {
  if (channelId === undefined) return null;
  const destination = await findDestinationOf(deps.database.sql, userId, messengerId);
  if (!destination || destination.current_channel_id === channelId) return null;
  const chat = chatOf(deps, destination.chat);
  if (destination.state !== 'connected') throw new ApiError(chat.errors.notConnected);
  const channel = await findChannel(deps, chat, destination, channelId);
  if (!channel) throw invalidMessenger('/slackChannel', unknownChannel);
  return channel;
}

const unknownChannel = "Ce channel n'existe pas, ou le bot n'y a pas accès.";

async function findChannel(
  deps: NotificationsDeps,
  chat: ChatProvider,
  destination: DestinationRow,
  channelId: string,
): Promise<ChatChannel | null> {
  if (chat.channels === 'one') {
    const only = channelOf(destination);
    return only?.id === channelId ? only : null;
  }
  try {
    return await chat.findChannel(openSecret(deps, destination), channelId);
  } catch (error) {
    if (error instanceof ChatProviderError && error.kind === 'channel') return null;
    throw error;
  }
}

/**
 * Lists of channels, kept for a moment: reading one may take all the calls that a team is allowed. Their
 * keys stand for a secret, because another secret of the team may see other channels. A list is read
 * once at a time: a second request meanwhile gets the same answer.
 */
export class ChannelCache {
  readonly #clock: Clock;
  /** In the order of reading. */
  readonly #kept = new Map<string, { list: ChannelList; freshUntil: number }>();
  readonly #reading = new Map<string, Promise<ChannelList>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async read(
    key: string,
    refresh: boolean,
    load: () => Promise<ChannelList>,
  ): Promise<ChannelList> {
    const known = this.#kept.get(key);
    if (known && !refresh && this.#clock.now().getTime() < known.freshUntil) return known.list;
    const underWay = this.#reading.get(key);
    if (underWay) return await underWay;
    const work = load().then((list) => this.#keep(key, list));
    this.#reading.set(key, work);
    return await work.finally(() => this.#reading.delete(key));
  }

  /** Drops the stale lists, and then the oldest, until at most `maxChannels` are kept. */
  #keep(key: string, { channels, complete }: ChannelList): ChannelList {
    const now = this.#clock.now().getTime();
    const list = { channels: channels.toSorted(byName), complete };
    this.#kept.delete(key);
    this.#kept.set(key, { list, freshUntil: now + (complete ? completeMs : incompleteMs) });
    let count = 0;
    for (const [other, entry] of this.#kept) {
      if (entry.freshUntil <= now) this.#kept.delete(other);
      else count += entry.list.channels.length;
    }
    for (const [oldest, entry] of this.#kept) {
      if (count <= maxChannels) break;
      this.#kept.delete(oldest);
      count -= entry.list.channels.length;
    }
    return list;
  }
}

const completeMs = 60_000;
const incompleteMs = 5_000;
const maxChannels = 100_000;

const collator = new Intl.Collator('fr', { numeric: true });

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
