import type { DeliveryTicket } from './attempt.ts';
import type { DeliveryLimits } from './limits.ts';

type Limits = Pick<DeliveryLimits, 'perTeam' | 'channelGapMs' | 'heldAtMostMs'>;

/**
 * Who may post now, in this process: one message at a time and per gap in a channel, oldest first;
 * few at a time for a team, and one at a time while that team's posts stay without an answer.
 * A team that has more than it may send gives its jobs back, so that it fills nobody's place.
 */
export interface Lanes {
  readonly size: number;
  add(tickets: DeliveryTicket[]): void;
  /** Up to `count` tickets that may post now; each must be given to `leave` afterwards. */
  take(count: number): DeliveryTicket[];
  /** `silent`: the chat did not answer. */
  leave(ticket: DeliveryTicket, silent: boolean): void;
  /** What has waited too long or is too much for its team, with the seconds to stay away. */
  giveBack(): { ticket: DeliveryTicket; seconds: number }[];
  /** Everything that waits. */
  empty(): DeliveryTicket[];
}

export function createLanes(limits: Limits, monotonicMs: () => number): Lanes {
  const teams = new Map<string, Team>();
  const channels = new Map<string, number>();
  let waiting: Waiting[] = [];
  let pruneAt = 0;

  function admits({ data }: DeliveryTicket, now: number): boolean {
    const team = teams.get(data.teamId);
    if (team && team.inFlight >= (team.silent ? 1 : limits.perTeam)) return false;
    return (channels.get(channelOf(data)) ?? 0) <= now;
  }

  function enter({ data }: DeliveryTicket): void {
    const team = teams.get(data.teamId);
    if (team) team.inFlight += 1;
    else teams.set(data.teamId, { inFlight: 1, silent: false });
    channels.set(channelOf(data), Number.POSITIVE_INFINITY);
  }

  function prune(now: number): void {
    if (now < pruneAt) return;
    pruneAt = now + limits.channelGapMs;
    for (const [channel, freeAt] of channels) if (freeAt <= now) channels.delete(channel);
  }

  return {
    get size() {
      return waiting.length;
    },
    add(tickets) {
      const now = monotonicMs();
      if (tickets.length === 0) return;
      for (const ticket of tickets) waiting.push({ ticket, since: now });
      waiting.sort((one, other) => one.ticket.data.dueAt - other.ticket.data.dueAt);
    },
    take(count) {
      const now = monotonicMs();
      prune(now);
      const taken: DeliveryTicket[] = [];
      waiting = waiting.filter(({ ticket }) => {
        if (taken.length >= count || !admits(ticket, now)) return true;
        enter(ticket);
        taken.push(ticket);
        return false;
      });
      return taken;
    },
    leave({ data }, silent) {
      channels.set(channelOf(data), monotonicMs() + limits.channelGapMs);
      const team = teams.get(data.teamId);
      if (!team) return;
      team.inFlight -= 1;
      team.silent = silent;
      if (team.inFlight === 0 && !silent) teams.delete(data.teamId);
    },
    giveBack() {
      const longAgo = monotonicMs() - limits.heldAtMostMs;
      const [kept, given] = split(waiting, longAgo, limits.perTeam);
      waiting = kept;
      return given;
    },
    empty() {
      const tickets = waiting.map(({ ticket }) => ticket);
      waiting = [];
      return tickets;
    },
  };
}

interface Team {
  inFlight: number;
  silent: boolean;
}

interface Waiting {
  ticket: DeliveryTicket;
  since: number;
}

function channelOf(data: DeliveryTicket['data']): string {
  return `${data.teamId} ${data.channelId}`;
}

/** A team keeps twice what it may have in flight; the rest comes back in the order it left. */
function split(
  waiting: Waiting[],
  longAgo: number,
  perTeam: number,
): [Waiting[], { ticket: DeliveryTicket; seconds: number }[]] {
  const counts = new Map<string, number>();
  const kept: Waiting[] = [];
  const given: { ticket: DeliveryTicket; seconds: number }[] = [];
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
