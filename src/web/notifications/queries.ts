import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { meQuery } from '../session/me.ts';

/** The same for every component: the last one that mounts sets what becomes of a failure. */
export const homeMe = queryOptions({ ...meQuery, meta: { homeLoad: true } });

/** What the page already knows. */
export function useCachedMessengers(): Messenger[] {
  return useQuery({ ...homeMe, enabled: false }).data?.messengers ?? none;
}

const none: never[] = [];

/** The address of one notification in the API. */
export function messengerPath(id: string): string {
  return `/messengers/${encodeURIComponent(id)}`;
}
