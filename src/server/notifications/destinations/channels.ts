import { hashOf } from '../../identity/sessions/token.ts';
import type { Clock } from '../../platform/clock.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import {
  type ChannelList,
  type ChatKind,
  type ChatProvider,
  ChatProviderError,
  type ListedChannels,
} from '../../providers/chats/port.ts';
import type { NotificationsDeps } from '../deps.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import { findMessenger } from '../messengers/queries.ts';
import {
  type DestinationRow,
  findConnectedDestination,
  findDestination,
  openSecret,
} from './queries.ts';
import { endOf } from './removal.ts';

interface Asked {
  ownerId: string;
  /** The chat whose channels are asked for. */
  kind: ChatKind;
  /** Whose destination is meant; the current one without. */
  messengerId?: string | undefined;
  /** Whether a list that is kept is not new enough. */
  refresh: boolean;
}

/** The channels of a notification's destination, or of the current one, sorted as French readers do. */
export async function listChannels(
  deps: NotificationsDeps,
  cache: ChannelCache,
  chat: ChatProvider & ListedChannels,
  asked: Asked,
): Promise<ChannelList> {
  const destination = await chooseDestination(deps, asked);
  if (!destination) throw new ApiError(chat.errors.notConnected);
  try {
    const secret = openSecret(deps, destination);
    return await cache.read(hashOf(secret), asked, () => chat.listChannels(secret));
  } catch (error) {
    if (!(error instanceof ChatProviderError) || error.kind !== 'installation') throw error;
    await disconnect(deps, destination, error.code);
    throw new ApiError(chat.errors.refused, { message: chat.words.reconnect, cause: error });
  }
}

async function chooseDestination(
  deps: NotificationsDeps,
  { ownerId, kind, messengerId }: Asked,
): Promise<DestinationRow | null> {
  if (messengerId === undefined) return await findConnectedDestination(deps, ownerId, kind);
  const messenger = await findMessenger(deps, ownerId, messengerId);
  if (messenger?.chat !== kind) throw new ApiError(httpErrors.Not_Found);
  return await findDestination(deps, ownerId, messenger.destination_id);
}

/** Found out while reading, it has the same consequences as found out while sending. */
async function disconnect(
  deps: NotificationsDeps,
  destination: DestinationRow,
  code: string,
): Promise<void> {
  const refusal = endOf(destination, code);
  await deps.database.sql
    .transaction()
    .execute((transaction) => pauseAfterRefusal(deps, transaction, refusal, deps.clock.now()));
}

/** Lists of channels, kept for a moment: reading one may take a team's whole allowance of calls. */
export interface ChannelCache {
  /**
   * `key` stands for a secret. One reading for each at a time: a second request gets the same answer.
   * Another secret of the team may see other channels, or none any more.
   */
  read(
    key: string,
    options: { refresh: boolean },
    load: () => Promise<ChannelList>,
  ): Promise<ChannelList>;
}

const completeMs = 60_000;
const incompleteMs = 5_000;
const maxChannels = 100_000;

interface Entry {
  list: ChannelList;
  freshUntil: number;
}

export function createChannelCache(clock: Clock): ChannelCache {
  const kept = new Map<string, Entry>();
  const reading = new Map<string, Promise<ChannelList>>();
  return {
    async read(key, { refresh }, load) {
      const entry = kept.get(key);
      if (entry && !refresh && clock.now().getTime() < entry.freshUntil) return entry.list;
      const underWay = reading.get(key);
      if (underWay) return await underWay;
      const work = load().then((list) => {
        const now = clock.now().getTime();
        const sorted = { ...list, channels: list.channels.toSorted(byName) };
        const freshUntil = now + (list.complete ? completeMs : incompleteMs);
        kept.delete(key);
        kept.set(key, { list: sorted, freshUntil });
        letGo(kept, now);
        return sorted;
      });
      reading.set(key, work);
      try {
        return await work;
      } finally {
        reading.delete(key);
      }
    },
  };
}

/** Drops the stale lists, and then the oldest, until at most `maxChannels` are kept. */
function letGo(kept: Map<string, Entry>, now: number): void {
  let count = 0;
  for (const [key, { list, freshUntil }] of kept) {
    if (freshUntil <= now) kept.delete(key);
    else count += list.channels.length;
  }
  for (const [key, { list }] of kept) {
    if (count <= maxChannels) return;
    kept.delete(key);
    count -= list.channels.length;
  }
}

const collator = new Intl.Collator('fr', { numeric: true });

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
