import { type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import type { Messenger, Redirection } from '../../shared/contract/messengers.ts';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { now } from '../time/clock.ts';
import { nextReading } from './reading.ts';

export const meKey = ['me'] as const;
/** The authorisation expires after ten minutes: its link is renewed well before. */
export const SLACK_CONNECT_MAX_AGE_MS = 5 * 60_000;

/** One for all who look: the last of them decides what becomes of a failure. */
const reading = {
  queryKey: meKey,
  queryFn: ({ signal }: QueryFunctionContext) => call<Me>('GET', '/users/me', { signal }),
  meta: { homeLoad: true },
};

export function useMe() {
  return useQuery({
    ...reading,
    refetchInterval: ({ state }) => nextReading(state.data?.messengers ?? [], now()),
  });
}

/** What the page already knows. */
export function useKnownMessengers(): Messenger[] {
  return useQuery({ ...reading, enabled: false }).data?.messengers ?? none;
}

const none: never[] = [];

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
