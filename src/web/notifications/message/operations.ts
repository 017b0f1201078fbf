import { useQuery } from '@tanstack/react-query';
import type { ReadOperations } from '../../../shared/contract/messages.ts';
import { call } from '../../api/call.ts';

const keyOf = (messengerId: string) => ['operations', messengerId];

/** What the banks say now, asked for by a press only: each time is a call at the bank service. */
export function useOperations(messengerId: string) {
  return useQuery({
    queryKey: keyOf(messengerId),
    queryFn: ({ signal }) =>
      call<ReadOperations>('GET', `/messengers/${encodeURIComponent(messengerId)}/operations`, {
        signal,
      }),
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What was asked for on this page; null before. */
export function useKnownOperations(messengerId: string): ReadOperations | null {
  return useQuery<ReadOperations>({ queryKey: keyOf(messengerId), enabled: false }).data ?? null;
}
