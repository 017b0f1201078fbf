import type { DeliveryTicket } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

/**
 * Who may post now, in this process: one message at a time and per gap in a channel, oldest first;
 * few at a time for a team, and one at a time while that team's posts stay without an answer.
 * A team that has more than it may send gives its jobs back, so that it fills nobody's place.
 */
export class Lanes {
  readonly #limits: Pick<DeliveryLimits, 'perTeam' | 'channelGapMs' | 'heldAtMostMs'>;
  readonly #monotonicMs: () => number;
  readonly #teams = new Map<string, { inFlight: number; silent: boolean }>();
  /** When each channel is free again. */
  readonly #channels = new Map<string, number>();
  #waiting: Waiting[] = [];
  #pruneAt = 0;

  constructor(
    limits: Pick<DeliveryLimits, 'perTeam' | 'channelGapMs' | 'heldAtMostMs'>,
    monotonicMs: () => number,
  ) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(tickets: DeliveryTicket[]): void {
    if (tickets.length === 0) return;
    const since = this.#monotonicMs();
    for (const ticket of tickets) this.#waiting.push({ ticket, since });
    this.#waiting.sort((one, other) => one.ticket.data.dueAt - other.ticket.data.dueAt);
  }

  /** Up to `count` tickets that may post now; each must be given to `leave` afterwards. */
  take(count: number): DeliveryTicket[] {
    const now = this.#monotonicMs();
    this.#prune(now);
    const taken: DeliveryTicket[] = [];
    this.#waiting = this.#waiting.filter(({ ticket }) => {
      if (taken.length >= count || !this.#admits(ticket, now)) return true;
      this.#enter(ticket);
      taken.push(ticket);
      return false;
    });
    return taken;
  }

  /** `silent`: the chat did not answer. */
  leave({ data }: DeliveryTicket, silent: boolean): void {
    this.#channels.set(channelOf(data), this.#monotonicMs() + this.#limits.channelGapMs);
    const team = this.#teams.get(data.teamId);
    if (!team) return;
    team.inFlight -= 1;
    team.silent = silent;
    if (team.inFlight === 0 && !silent) this.#teams.delete(data.teamId);
  }

  /** What has waited too long or is too much for its team, with the seconds to stay away. */
  giveBack(): Given[] {
    const longAgo = this.#monotonicMs() - this.#limits.heldAtMostMs;
    const [kept, given] = split(this.#waiting, longAgo, this.#limits.perTeam);
    this.#waiting = kept;
    return given;
  }

  /** Takes out everything that waits. */
  empty(): DeliveryTicket[] {
    return this.#waiting.splice(0).map(({ ticket }) => ticket);
  }

  #admits({ data }: DeliveryTicket, now: number): boolean {
    const team = this.#teams.get(data.teamId);
    if (team && team.inFlight >= (team.silent ? 1 : this.#limits.perTeam)) return false;
    return (this.#channels.get(channelOf(data)) ?? 0) <= now;
  }

  #enter({ data }: DeliveryTicket): void {
    const team = this.#teams.get(data.teamId);
    if (team) team.inFlight += 1;
    else this.#teams.set(data.teamId, { inFlight: 1, silent: false });
    this.#channels.set(channelOf(data), Number.POSITIVE_INFINITY);
  }

  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + this.#limits.channelGapMs;
    for (const [channel, freeAt] of this.#channels) {
      if (freeAt <= now) this.#channels.delete(channel);
    }
  }
}

interface Waiting {
  ticket: DeliveryTicket;
  since: number;
}

interface Given {
  ticket: DeliveryTicket;
  seconds: number;
}

function channelOf(data: DeliveryTicket['data']): string {
  return `${data.teamId} ${data.channelId}`;
}

/** A team keeps twice what it may have in flight; the rest comes back in the order it left. */
function split(waiting: Waiting[], longAgo: number, perTeam: number): [Waiting[], Given[]] {
  const counts = new Map<string, number>();
  const kept: Waiting[] = [];
  const given: Given[] = [];
  for (const held of waiting) {
    const { teamId } = held.ticket.data;
    const place = (counts.get(teamId) ?? 0) + 1;
    counts.set(teamId, place);
    const excess = place - 2 * perTeam;
    if (excess <= 0 && held.since > longAgo) kept.push(held);
    else given.push({ ticket: held.ticket, seconds: 2 + Math.max(0, excess) / perTeam });
  }
  return [kept, given];
}
