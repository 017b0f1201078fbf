import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChatKind,
  ChatProviderError,
  type Polling,
  type TakeEvent,
} from '../../../providers/chats/port.ts';
import type { NotificationsDeps } from '../../deps.ts';
import { followMove } from '../../destinations/moving.ts';
import { disconnectTeam } from '../../destinations/removal.ts';
import { acceptInvitation } from './inviting.ts';
import { acquirePollingLease, releasePollingLease } from './queries.ts';

export interface ChatPolling {
  stop(): Promise<void>;
}

/** Milliseconds. */
interface Waits {
  /** While another process listens. */
  forLease: number;
  /** After a call that failed, where the chat named no time. */
  afterFailure: number;
  /** However long the chat asks to wait. */
  longest: number;
}

/**
 * Longer than a call that waits for events: the process that listens renews its lease before each, and at
 * each event.
 */
const leaseSeconds = 90;

/**
 * Asks the chats that give their events to one client, one process of all at a time: when it ends, another
 * takes the lease. A chat without such events costs nothing.
 */
export function startPolling(
  deps: NotificationsDeps,
  waits: Waits = { forLease: 20_000, afterFailure: 10_000, longest: 60_000 },
): ChatPolling {
  const stopping = new AbortController();
  const loops = [...deps.chats].flatMap(([kind, { polling }]) =>
    polling ? [listen(deps, kind, polling, waits, stopping.signal)] : [],
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

class LeaseLost extends Error {
  override name = 'LeaseLost';
}

async function listen(
  deps: NotificationsDeps,
  kind: ChatKind,
  polling: Polling,
  waits: Waits,
  signal: AbortSignal,
): Promise<void> {
  const holder = deps.randomness.uuid();
  const take: TakeEvent = async (event) => {
    // A hundred events may take longer than the lease. A process that has lost it leaves the rest to its
    // successor, to whom the chat gives them again.
    if (!(await acquirePollingLease(deps, kind, holder, leaseSeconds))) throw new LeaseLost();
    if (event.kind === 'invitation') return await acceptInvitation(deps, kind, event);
    if (event.kind === 'move') await followMove(deps, kind, event);
    else await disconnectTeam(deps, kind, event);
    return true;
  };
  let after: string | null = null;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      if (await acquirePollingLease(deps, kind, holder, leaseSeconds)) {
        after = await polling.read(after, take, signal);
      } else {
        // The process that listens now knows which events were taken.
        after = null;
        waitMs = waits.forLease;
      }
    } catch (error) {
      if (error instanceof LeaseLost) continue;
      const asked = error instanceof ChatProviderError ? error.retryAfterSeconds : undefined;
      waitMs = asked === undefined ? waits.afterFailure : Math.min(asked * 1000, waits.longest);
      deps.log.warn({ chat: kind, err: error }, 'the events of a chat could not be read');
    }
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
  await releasePollingLease(deps, kind, holder).catch((error: unknown) => {
    deps.log.warn({ chat: kind, err: error }, 'another process listens to a chat only later');
  });
}
