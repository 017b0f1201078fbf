import type { Clock } from '../clock.ts';
import type { ChannelList } from '../providers/chat.ts';

/** Lists of channels, kept for a moment: reading one may take a team's whole allowance of calls. */
export interface ChannelCache {
  /** One reading per team at a time: whoever asks meanwhile gets the same answer. */
  read(
    teamId: string,
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
    async read(teamId, { refresh }, load) {
      const entry = kept.get(teamId);
      if (entry && !refresh && clock.now().getTime() < entry.freshUntil) return entry.list;
      const underWay = reading.get(teamId);
      if (underWay) return await underWay;
      const work = load().then((list) => {
        const now = clock.now().getTime();
        const sorted = { ...list, channels: list.channels.toSorted(byName) };
        const freshUntil = now + (list.complete ? completeMs : incompleteMs);
        kept.delete(teamId);
        kept.set(teamId, { list: sorted, freshUntil });
        letGo(kept, now);
        return sorted;
      });
      reading.set(teamId, work);
      try {
        return await work;
      } finally {
        reading.delete(teamId);
      }
    },
  };
}

/** Stale lists go, and then the oldest, until what is kept is bounded. */
function letGo(kept: Map<string, Entry>, now: number): void {
  let count = 0;
  for (const [teamId, { list, freshUntil }] of kept) {
    if (freshUntil <= now) kept.delete(teamId);
    else count += list.channels.length;
  }
  for (const [teamId, { list }] of kept) {
    if (count <= maxChannels) return;
    kept.delete(teamId);
    count -= list.channels.length;
  }
}

const collator = new Intl.Collator('fr', { numeric: true });

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}
