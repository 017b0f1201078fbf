import type { Clock } from '../../platform/clock.ts';
import type { ChannelList } from '../../providers/chats/port.ts';

/** Lists of channels, kept for a moment: reading one may take a team's whole allowance of calls. */
export interface ChannelCache {
  /**
   * `bot` stands for a token. One reading for each at a time: whoever asks meanwhile gets the same
   * answer. Another token of the team may see other channels, or none any more.
   */
  read(
    bot: string,
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
    async read(bot, { refresh }, load) {
      const entry = kept.get(bot);
      if (entry && !refresh && clock.now().getTime() < entry.freshUntil) return entry.list;
      const underWay = reading.get(bot);
      if (underWay) return await underWay;
      const work = load().then((list) => {
        const now = clock.now().getTime();
        const sorted = { ...list, channels: list.channels.toSorted(byName) };
        const freshUntil = now + (list.complete ? completeMs : incompleteMs);
        kept.delete(bot);
        kept.set(bot, { list: sorted, freshUntil });
        letGo(kept, now);
        return sorted;
      });
      reading.set(bot, work);
      try {
        return await work;
      } finally {
        reading.delete(bot);
      }
    },
  };
}

/** Stale lists go, and then the oldest, until what is kept is bounded. */
function letGo(kept: Map<string, Entry>, now: number): void {
  let count = 0;
  for (const [bot, { list, freshUntil }] of kept) {
    if (freshUntil <= now) kept.delete(bot);
    else count += list.channels.length;
  }
  for (const [bot, { list }] of kept) {
    if (count <= maxChannels) return;
    kept.delete(bot);
    count -= list.channels.length;
  }
}

const collator = new Intl.Collator('fr', { numeric: true });

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
