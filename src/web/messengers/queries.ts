import { useQuery } from '@tanstack/react-query';
import type { Messenger, Redirection } from '../../shared/contract/messengers.ts';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { now } from '../time/clock.ts';

export const meKey = ['me'] as const;
/** The authorisation expires after ten minutes: its link is renewed well before. */
export const SLACK_CONNECT_MAX_AGE_MS = 5 * 60_000;

const SENDING_POLL_MS = 3_000;
const IDLE_POLL_MS = 5 * 60_000;

export function useMe() {
  return useQuery({
    queryKey: meKey,
    queryFn: ({ signal }) => call<Me>('GET', '/users/me', { signal }),
    meta: { homeLoad: true },
    refetchInterval: ({ state }) => nextReading(state.data?.messengers ?? [], now()),
  });
}

/** The address that leads to Slack's consent page. */
export function useSlackConnect(enabled: boolean) {
  return useQuery({
    queryKey: ['slack-connect'],
    queryFn: ({ signal }) => call<Redirection>('GET', '/messengers/slack/connect', { signal }),
    enabled,
    staleTime: SLACK_CONNECT_MAX_AGE_MS,
    refetchInterval: SLACK_CONNECT_MAX_AGE_MS,
    gcTime: 0,
  });
}

/** Messengers by creation date, oldest first (specification §2). */
export function sortedMessengers(messengers: readonly Messenger[]): Messenger[] {
  return messengers.toSorted((one, other) => one.createDate.localeCompare(other.createDate));
}

/** Milliseconds until the cards may say something new: when a sending is due or under way. */
export function nextReading(messengers: readonly Messenger[], at: Date): number {
  if (messengers.some(({ lastDelivery }) => lastDelivery?.outcome === 'pending')) {
    return SENDING_POLL_MS;
  }
  const waits = messengers.map(({ nextDate }) =>
    nextDate === null ? IDLE_POLL_MS : Date.parse(nextDate) - at.getTime() + 1_500,
  );
  return Math.max(SENDING_POLL_MS, Math.min(IDLE_POLL_MS, ...waits));
}
