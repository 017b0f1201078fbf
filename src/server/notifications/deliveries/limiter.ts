import type { ChatKind } from '../../providers/chats/port.ts';
import type { Pace } from '../../providers/chats/posting.ts';
import type { Attempt } from './attempt.ts';

interface LimiterOptions {
  paceOf(chat: ChatKind): Pace;
  /** The most posts in flight for one chat. */
  perChat: number;
  monotonicMs(): number;
}

/**
 * Decides which deliveries this process may post now: tests first, whose owner waits for ten seconds at
 * most, then the oldest. In a channel, one message at a
 * time, with the chat's gap between two of them. For a team, a few at a time, and only one while its
 * posts get no answer. For a chat, so many at once and so many a second as it allows. A team or a chat
 * with many more deliveries than it may post returns some, so that those of the others are claimed.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #teams = new Map<string, { inFlight: number; isTroubled: boolean }>();
  /** When each channel is free again. */
  readonly #channels = new Map<string, number>();
  readonly #chats = new Map<ChatKind, ChatState>();
  readonly #inFlight = new Map<Attempt, Limited>();
  #waiting: Limited[] = [];
  #pruneAt = 0;
  /** When there may be more to return than what was added since. */
  #excessAt = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Of those that wait. */
  get deliveryIds(): string[] {
    return this.#waiting.map(({ attempt }) => attempt.id);
  }

  /**
   * How many deliveries wait or are in flight, those of stalled chats left out: they would keep the
   * messages of the other chats from being claimed.
   */
  get backlog(): number {
    const now = this.#options.monotonicMs();
    const stalled = new Set<ChatKind>();
    let count = 0;
    for (const [chat, state] of this.#chats) {
      if (this.#stalledMs(state, now) > uncountedAfterMs) stalled.add(chat);
      else count += state.inFlight;
    }
    if (stalled.size === 0) return count + this.#waiting.length;
    for (const { attempt } of this.#waiting) if (!stalled.has(attempt.chat)) count += 1;
    return count;
  }

  add(attempts: Attempt[]): void {
    if (attempts.length === 0) return;
    for (const { chat } of attempts) {
      if (!this.#chats.has(chat)) this.#chats.set(chat, { inFlight: 0, lastBegun: 0, freeAt: 0 });
    }
    this.#excessAt = 0;
    for (const attempt of attempts) {
      const team = `${attempt.chat} ${attempt.teamId}`;
      this.#waiting.push({ attempt, team, channel: `${team} ${attempt.channelId}` });
    }
    this.#waiting.sort(
      ({ attempt: one }, { attempt: other }) =>
        Number(other.kind === 'test') - Number(one.kind === 'test') ||
        Number(one.dueAt) - Number(other.dueAt),
    );
  }

  /**
   * Takes out those that may post now; each must be given to `release` afterwards. What is too late to be
   * posted is not among them.
   */
  takeAllowed(): Attempt[] {
    const now = this.#options.monotonicMs();
    this.#prune(now);
    const taken: Attempt[] = [];
    for (let position = 0; position < this.#waiting.length && !this.#isFull(); ) {
      const waiting = this.#waiting[position];
      if (!waiting || waiting.attempt.postBy <= now || !this.#acquire(waiting, now)) {
        position += 1;
        continue;
      }
      this.#inFlight.set(waiting.attempt, waiting);
      taken.push(waiting.attempt);
      this.#waiting.splice(position, 1);
    }
    return taken;
  }

  /**
   * A post has ended. `isTroubled`: the chat did not answer or asked to wait. Its team then posts one at
   * a time.
   */
  release(attempt: Attempt, isTroubled: boolean): void {
    const ended = this.#inFlight.get(attempt);
    if (!ended) return;
    this.#inFlight.delete(attempt);
    const { team: key, channel } = ended;
    const { channelGapMs } = this.#options.paceOf(attempt.chat);
    this.#channels.set(channel, this.#options.monotonicMs() + channelGapMs);
    const chat = this.#chats.get(attempt.chat);
    if (chat) chat.inFlight -= 1;
    const team = this.#teams.get(key);
    if (!team) return;
    team.inFlight -= 1;
    team.isTroubled = isTroubled;
    if (team.inFlight === 0 && !isTroubled) this.#teams.delete(key);
  }

  /**
   * Takes out what is too late to be posted, to be claimed again at once, and what is too much for its
   * channel, its team or its chat, to be claimed again when those that are kept will just have been posted.
   * A channel keeps what it takes in two seconds, a team twice what it may have in flight, a chat with a
   * limit per second what it takes in two, and a stalled chat nothing; the others are claimed again in the
   * order in which they are returned.
   */
  returnExcess(): Returned[] {
    const now = this.#options.monotonicMs();
    if (now < this.#excessAt) return [];
    this.#excessAt = now + excessEveryMs;
    const counts = new Map<string, number>();
    const kept: Limited[] = [];
    const returned: Returned[] = [];
    for (const waiting of this.#waiting) {
      const { chat } = waiting.attempt;
      const { channelGapMs, perTeam } = this.#options.paceOf(chat);
      const { most, perSecond } = this.#waitingLimitOf(chat, now);
      const [ofTeam, ofChat] = [countIn(counts, waiting.team), countIn(counts, chat)];
      const seconds = Math.max(
        ((countIn(counts, waiting.channel) - 1) * channelGapMs) / 1000 - keptSeconds,
        (ofTeam - 2 * perTeam) / perTeam,
        (ofChat - most) / perSecond,
      );
      if (seconds <= 0 && waiting.attempt.postBy > now) kept.push(waiting);
      else
        returned.push({
          attempt: waiting.attempt,
          seconds: seconds > 0 ? seconds + extraSeconds : 0,
        });
    }
    this.#waiting = kept;
    return returned;
  }

  /** How many may wait for a chat, and how many of the others are claimed again in a second. */
  #waitingLimitOf(chat: ChatKind, now: number): { most: number; perSecond: number } {
    const { perSecond } = this.#options.paceOf(chat);
    const state = this.#chats.get(chat);
    if (state && this.#stalledMs(state, now) > returnedAfterMs) {
      return { most: 0, perSecond: this.#options.perChat / againWithinSeconds };
    }
    return perSecond === null
      ? { most: Number.POSITIVE_INFINITY, perSecond: 1 }
      : { most: Math.max(1, keptSeconds * perSecond), perSecond };
  }

  /**
   * For how long a chat has had as many posts in flight as it may, without one that ended and let another
   * begin; 0 while it has fewer.
   */
  #stalledMs({ inFlight, lastBegun }: ChatState, now: number): number {
    return inFlight < this.#options.perChat ? 0 : now - lastBegun;
  }

  /** Takes out everything that waits. */
  takeAll(): Attempt[] {
    return this.#waiting.splice(0).map(({ attempt }) => attempt);
  }

  /** Saves a pass over all that waits while the only chat there is has as many in flight as it may. */
  #isFull(): boolean {
    if (this.#chats.size !== 1) return false;
    const [only] = this.#chats.values();
    return only !== undefined && only.inFlight >= this.#options.perChat;
  }

  /** Begins a post where all its limits allow it now. */
  #acquire({ attempt, team: key, channel }: Limited, now: number): boolean {
    const { perTeam, perSecond } = this.#options.paceOf(attempt.chat);
    const team = this.#teams.get(key);
    if (team && team.inFlight >= (team.isTroubled ? 1 : perTeam)) return false;
    const chat = this.#chats.get(attempt.chat);
    if (!chat || chat.inFlight >= this.#options.perChat || chat.freeAt > now) return false;
    if ((this.#channels.get(channel) ?? 0) > now) return false;
    if (team) team.inFlight += 1;
    else this.#teams.set(key, { inFlight: 1, isTroubled: false });
    this.#channels.set(channel, Number.POSITIVE_INFINITY);
    chat.inFlight += 1;
    chat.lastBegun = now;
    // Passes come at uneven moments: what one came late is caught up, up to a quarter of a second.
    const since = Math.max(chat.freeAt, now - longestCatchUpMs);
    if (perSecond !== null) chat.freeAt = since + 1000 / perSecond;
    return true;
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
/** Between two passes over all that waits: what is too late is returned so much later. */
const excessEveryMs = 50;
/** After this time, what waits for a stalled chat no longer counts in the backlog. */
const uncountedAfterMs = 50;
/** After this time it is returned. A chat that answers after two seconds is slow, not stalled. */
const returnedAfterMs = 3000;
/**
 * As many as a stalled chat may have in flight are claimed again within this time. It may just be slow: one
 * that answers after three to five seconds is kept busy, and what is too early is returned once more.
 */
const againWithinSeconds = 4;
const keptSeconds = 2;
/** What is kept lasts for `keptSeconds`, and what is due again is claimed within half of one. */
const extraSeconds = 1.5;
const longestCatchUpMs = 250;

interface ChatState {
  inFlight: number;
  /** When its last post began. */
  lastBegun: number;
  /** When it takes its next post, where it has a limit per second. */
  freeAt: number;
}

function countIn(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** With the keys of the limits of its team and its channel. */
interface Limited {
  attempt: Attempt;
  team: string;
  channel: string;
}

interface Returned {
  attempt: Attempt;
  /** Until it may be claimed again. */
  seconds: number;
}
