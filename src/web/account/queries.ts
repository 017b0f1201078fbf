import { queryOptions } from '@tanstack/react-query';
import type { EmailConfirmation } from '../../shared/contract/accounts.ts';
import type { Deletion } from '../../shared/contract/deletions.ts';
import type { OpenSession } from '../../shared/contract/sessions.ts';
import { call } from '../api/call.ts';
import { meQuery } from '../session/me.ts';

export const openSessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call<OpenSession[]>('GET', '/users/me/sessions', { signal }),
});

const RECEIPT_POLL_MS = 4_000;

/** What became of a deletion, read again until it is done. */
export function receiptQuery(receipt: string) {
  const path = `/accounts/deletions/${encodeURIComponent(receipt)}`;
  return queryOptions({
    queryKey: ['deletion', receipt],
    queryFn: ({ signal }) => call<Deletion>('GET', path, { signal }),
    refetchInterval: ({ state }) =>
      state.data && state.data.doneDate === null ? RECEIPT_POLL_MS : false,
  });
}

/**
 * Confirms the address whose link was opened. A query although it is a POST: it is sent once for a
 * link, however often React mounts the page.
 */
export function confirmationQuery(token: string | null, opened: number) {
  return queryOptions({
    queryKey: ['confirmation', token, opened],
    queryFn: async ({ client }) => {
      const body: EmailConfirmation = { token: token ?? '' };
      await call('POST', '/accounts/email/confirmation', { body });
      client.removeQueries(meQuery);
      return true;
    },
    enabled: token !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
