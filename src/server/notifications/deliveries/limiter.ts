import type { ChatKind } from '../../providers/chats/port.ts';
import type { Pace } from '../../providers/chats/posting.ts';
import type { Attempt } from './attempt.ts';

interface LimiterOptions {
  paceOf(chat: ChatKind): Pace;
  /** What waited longer is returned. */
  heldAtMostMs: number;
  monotonicMs(): number;
}

/**
 * Decides which deliveries this process may post now, the oldest first. In a channel, one message at a
 * time, with the chat's gap between two of them. For a team, a few at a time, and only one while its
 * posts get no answer. For a chat, so many a second as it allows. A team with many more deliveries
 * than it may post returns some, so that there is room for those of other teams.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #teams = new Map<string, { inFlight: number; isTroubled: boolean }>();
  /** When each channel is free again. */
  readonly #channels = new Map<string, number>();
  /** When a chat that counts by the second takes its next post. */
  readonly #chats = new Map<ChatKind, number>();
  #waiting: Waiting[] = [];
  #pruneAt = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(attempts: Attempt[]): void {
    if (attempts.length === 0) return;
    const since = this.#options.monotonicMs();
    for (const attempt of attempts) this.#waiting.push({ attempt, since, ...keysOf(attempt) });
    this.#waiting.sort((one, other) => Number(one.attempt.dueAt) - Number(other.attempt.dueAt));
  }

  /**
   * Up to `count` that may post now; each must be given to `leave` afterwards. What is to be returned for
   * its age is not among them: its lease may end before its post does.
   */
  take(count: number): Attempt[] {
    const now = this.#options.monotonicMs();
    const longAgo = now - this.#options.heldAtMostMs;
    this.#prune(now);
    const taken: Attempt[] = [];
    for (let place = 0; place < this.#waiting.length && taken.length < count; ) {
      const waiting = this.#waiting[place];
      if (!waiting || waiting.since <= longAgo || !this.#admits(waiting, now)) {
        place += 1;
        continue;
      }
      this.#enter(waiting, now);
      taken.push(waiting.attempt);
      this.#waiting.splice(place, 1);
    }
    return taken;
  }

  /** `isTroubled`: the chat did not answer or asked to wait. Its team then posts one at a time. */
  leave(attempt: Attempt, isTroubled: boolean): void {
    const { channelGapMs } = this.#options.paceOf(attempt.chat);
    const keys = keysOf(attempt);
    this.#channels.set(keys.channel, this.#options.monotonicMs() + channelGapMs);
    const team = this.#teams.get(keys.team);
    if (!team) return;
    team.inFlight -= 1;
    team.isTroubled = isTroubled;
    if (team.inFlight === 0 && !isTroubled) this.#teams.delete(keys.team);
  }

  /**
   * What has waited too long or is too much for its team, with the seconds to stay away. A team keeps
   * twice what it may have in flight; the rest comes back in the order it left.
   */
  returnExcess(): Returned[] {
    const longAgo = this.#options.monotonicMs() - this.#options.heldAtMostMs;
    const counts = new Map<string, number>();
    const kept: Waiting[] = [];
    const returned: Returned[] = [];
    for (const held of this.#waiting) {
      const { perTeam } = this.#options.paceOf(held.attempt.chat);
      const place = (counts.get(held.team) ?? 0) + 1;
      counts.set(held.team, place);
      const excess = place - 2 * perTeam;
      if (excess <= 0 && held.since > longAgo) kept.push(held);
      else returned.push({ attempt: held.attempt, seconds: 2 + Math.max(0, excess) / perTeam });
    }
    this.#waiting = kept;
    return returned;
  }

  /** Takes out everything that waits. */
  empty(): Attempt[] {
    return this.#waiting.splice(0).map(({ attempt }) => attempt);
  }

  #admits({ attempt, team: key, channel }: Waiting, now: number): boolean {
    const { chat } = attempt;
    const team = this.#teams.get(key);
    if (team && team.inFlight >= (team.isTroubled ? 1 : this.#options.paceOf(chat).perTeam))
      return false;
    if ((this.#chats.get(chat) ?? 0) > now) return false;
    return (this.#channels.get(channel) ?? 0) <= now;
  }

  #enter({ attempt, team: key, channel }: Waiting, now: number): void {
    const { chat } = attempt;
    const team = this.#teams.get(key);
    if (team) team.inFlight += 1;
    else this.#teams.set(key, { inFlight: 1, isTroubled: false });
    this.#channels.set(channel, Number.POSITIVE_INFINITY);
    const { perSecond } = this.#options.paceOf(chat);
    if (perSecond !== null) this.#chats.set(chat, now + 1000 / perSecond);
  }

  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + pruneEveryMs;
    for (const [channel, freeAt] of this.#channels) {
      if (freeAt <= now) this.#channels.delete(channel);
    }
  }
}

const pruneEveryMs = 1000;

interface Waiting extends Keys {
  attempt: Attempt;
  since: number;
}

/** Where it posts: what the limits of a team and of a channel are kept by. */
interface Keys {
  team: string;
  channel: string;
}

interface Returned {
  attempt: Attempt;
  seconds: number;
}

function keysOf({ chat, teamId, channelId }: Attempt): Keys {
  const team = `${chat} ${teamId}`;
  return { team, channel: `${team} ${channelId}` };
}
