import type { ChatKind } from '../../providers/chats/port.ts';
import type { Pace } from '../../providers/chats/posting.ts';
import type { Attempt } from './attempt.ts';

interface LimiterOptions {
  paceOf(chat: ChatKind): Pace;
  /** The most posts in flight for one chat. */
  perChat: number;
  /** What waited longer is returned. */
  longestWaitMs: number;
  monotonicMs(): number;
}

/**
 * Decides which deliveries this process may post now, the oldest first. In a channel, one message at a
 * time, with the chat's gap between two of them. For a team, a few at a time, and only one while its
 * posts get no answer. For a chat, so many at once and so many a second as it allows. A team or a chat
 * with many more deliveries than it may post returns some, so that there is room for the others.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #teams = new Map<string, { inFlight: number; isTroubled: boolean }>();
  /** When each channel is free again. */
  readonly #channels = new Map<string, number>();
  readonly #chats = new Map<ChatKind, ChatState>();
  #waiting: Waiting[] = [];
  #pruneAt = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /**
   * The room that is taken from other deliveries: all that waits or is in flight, but for chats that do
   * not answer. Those would keep the messages of the others from being claimed.
   */
  get occupied(): number {
    const now = this.#options.monotonicMs();
    const quiet = new Set<ChatKind>();
    let count = 0;
    for (const [chat, state] of this.#chats) {
      if (this.#silentMs(state, now) > quietMs) quiet.add(chat);
      else count += state.inFlight;
    }
    if (quiet.size === 0) return count + this.#waiting.length;
    for (const { attempt } of this.#waiting) if (!quiet.has(attempt.chat)) count += 1;
    return count;
  }

  add(attempts: Attempt[]): void {
    if (attempts.length === 0) return;
    for (const { chat } of attempts) if (!this.#chats.has(chat)) this.#chats.set(chat, unused);
    const since = this.#options.monotonicMs();
    for (const attempt of attempts) this.#waiting.push({ attempt, since, ...keysOf(attempt) });
    this.#waiting.sort((one, other) => Number(one.attempt.dueAt) - Number(other.attempt.dueAt));
  }

  /**
   * Those that may post now; each must be given to `leave` afterwards. What is to be returned for its
   * age is not among them: its lease may end before its post does.
   */
  take(): Attempt[] {
    const now = this.#options.monotonicMs();
    const longAgo = now - this.#options.longestWaitMs;
    this.#prune(now);
    const taken: Attempt[] = [];
    for (let position = 0; position < this.#waiting.length && !this.#isFull(); ) {
      const waiting = this.#waiting[position];
      if (!waiting || waiting.since <= longAgo || !this.#admits(waiting, now)) {
        position += 1;
        continue;
      }
      this.#enter(waiting, now);
      taken.push(waiting.attempt);
      this.#waiting.splice(position, 1);
    }
    return taken;
  }

  /** `isTroubled`: the chat did not answer or asked to wait. Its team then posts one at a time. */
  leave(attempt: Attempt, isTroubled: boolean): void {
    const { channelGapMs } = this.#options.paceOf(attempt.chat);
    const keys = keysOf(attempt);
    this.#channels.set(keys.channel, this.#options.monotonicMs() + channelGapMs);
    const chat = this.#chats.get(attempt.chat);
    if (chat) chat.inFlight -= 1;
    const team = this.#teams.get(keys.team);
    if (!team) return;
    team.inFlight -= 1;
    team.isTroubled = isTroubled;
    if (team.inFlight === 0 && !isTroubled) this.#teams.delete(keys.team);
  }

  /**
   * What has waited too long, to be claimed again at once, or is too much for its team or its chat, with
   * the seconds to stay away: those that are kept will just have been posted then. A
   * team keeps twice what it may have in flight, a chat that counts by the second what it takes in two,
   * and one that does not answer nothing; the rest comes back in the order it left.
   */
  returnExcess(): Returned[] {
    const now = this.#options.monotonicMs();
    const longAgo = now - this.#options.longestWaitMs;
    const counts = new Map<string, number>();
    const kept: Waiting[] = [];
    const returned: Returned[] = [];
    for (const waiting of this.#waiting) {
      const { chat } = waiting.attempt;
      const { perTeam } = this.#options.paceOf(chat);
      const { most, perSecond } = this.#roomOf(chat, now);
      const [ofTeam, ofChat] = [countIn(counts, waiting.team), countIn(counts, chat)];
      const seconds = Math.max((ofTeam - 2 * perTeam) / perTeam, (ofChat - most) / perSecond);
      if (seconds <= 0 && waiting.since > longAgo) kept.push(waiting);
      else
        returned.push({
          attempt: waiting.attempt,
          seconds: seconds > 0 ? seconds + awaySeconds : 0,
        });
    }
    this.#waiting = kept;
    return returned;
  }

  /** How many may wait for a chat, and how fast those come back that may not. */
  #roomOf(chat: ChatKind, now: number): { most: number; perSecond: number } {
    const { perSecond } = this.#options.paceOf(chat);
    const state = this.#chats.get(chat);
    if (state && this.#silentMs(state, now) > silentMs) {
      return { most: 0, perSecond: this.#options.perChat / backWithinSeconds };
    }
    return perSecond === null
      ? { most: Number.POSITIVE_INFINITY, perSecond: 1 }
      : { most: Math.max(1, 2 * perSecond), perSecond };
  }

  /** For how long all places of a chat have been taken and none was left; 0 while it has free ones. */
  #silentMs({ inFlight, lastBegun }: ChatState, now: number): number {
    return inFlight < this.#options.perChat ? 0 : now - lastBegun;
  }

  /** Takes out everything that waits. */
  empty(): Attempt[] {
    return this.#waiting.splice(0).map(({ attempt }) => attempt);
  }

  /** Saves a pass over all that waits while the only chat there is has no place. */
  #isFull(): boolean {
    if (this.#chats.size !== 1) return false;
    const [only = unused] = this.#chats.values();
    return only.inFlight >= this.#options.perChat;
  }

  #admits({ attempt, team: key, channel }: Waiting, now: number): boolean {
    const { chat } = attempt;
    const team = this.#teams.get(key);
    if (team && team.inFlight >= (team.isTroubled ? 1 : this.#options.paceOf(chat).perTeam))
      return false;
    const { inFlight, freeAt } = this.#chats.get(chat) ?? unused;
    if (inFlight >= this.#options.perChat || freeAt > now) return false;
    return (this.#channels.get(channel) ?? 0) <= now;
  }

  #enter({ attempt, team: key, channel }: Waiting, now: number): void {
    const { chat } = attempt;
    const team = this.#teams.get(key);
    if (team) team.inFlight += 1;
    else this.#teams.set(key, { inFlight: 1, isTroubled: false });
    this.#channels.set(channel, Number.POSITIVE_INFINITY);
    const { perSecond } = this.#options.paceOf(chat);
    const { inFlight, freeAt } = this.#chats.get(chat) ?? unused;
    // The moments of a pass are uneven: what one came late is made up for, up to a quarter of a second.
    const since = Math.max(freeAt, now - makeUpMs);
    this.#chats.set(chat, {
      ...{ inFlight: inFlight + 1, lastBegun: now },
      freeAt: perSecond === null ? 0 : since + 1000 / perSecond,
    });
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
/** So long without an answer, a chat that has no free place is not waited for. */
const quietMs = 50;
/** So long, what waits for it is returned. A chat that answers after two seconds is slow, not silent. */
const silentMs = 3000;
/** As many as it may have in flight come back within this time. */
const backWithinSeconds = 10;
/** What is kept lasts for two seconds, and what comes back is claimed within half of one. */
const awaySeconds = 1.5;
const makeUpMs = 250;

interface ChatState {
  inFlight: number;
  /** When its last post began. */
  lastBegun: number;
  /** When it takes its next post, where it counts by the second. */
  freeAt: number;
}

const unused: ChatState = { inFlight: 0, lastBegun: 0, freeAt: 0 };

function countIn(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

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
