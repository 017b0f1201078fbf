import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { meQuery } from '../session/me.ts';
import { now } from '../time/clock.ts';
import { nextPollMs } from './messenger-state.ts';

/** The same for every component: the last one that mounts sets what becomes of a failure. */
const homeMe = queryOptions({ ...meQuery, meta: { homeLoad: true } });

/** The signed-in user with the messengers, read again when one of them is sent. */
export function useMessengers() {
  return useQuery({
    ...homeMe,
    refetchInterval: ({ state }) => nextPollMs(state.data?.messengers ?? [], now()),
  });
}

/** What the page already knows. */
export function useCachedMessengers(): Messenger[] {
  return useQuery({ ...homeMe, enabled: false }).data?.messengers ?? none;
}

const none: never[] = [];
