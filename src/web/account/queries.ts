import { queryOptions } from '@tanstack/react-query';
import type { Deletion } from '../../shared/contract/deletions.ts';
import type { OpenSession } from '../../shared/contract/sessions.ts';
import { call } from '../api/call.ts';

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
