import { useQuery } from '@tanstack/react-query';
import type { ReadTransactions } from '../../../shared/contract/messages.ts';
import type { MessageTransactions } from '../../../shared/message/transactions.ts';
import { call } from '../../api/call.ts';

const keyOf = (messengerId: string) => ['transactions', messengerId];

/** What the banks say now, asked for by a press only: each time is a call at the bank service. */
export function useTransactions(messengerId: string) {
  return useQuery({
    queryKey: keyOf(messengerId),
    queryFn: ({ signal }) =>
      call<ReadTransactions>('GET', `/messengers/${encodeURIComponent(messengerId)}/operations`, {
        signal,
      }),
    select: toMessageTransactions,
    enabled: false,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What was asked for on this page; null before. */
export function useCachedTransactions(messengerId: string): MessageTransactions | null {
  const asked = { queryKey: keyOf(messengerId), enabled: false, select: toMessageTransactions };
  return useQuery<ReadTransactions, Error, MessageTransactions>(asked).data ?? null;
}

function toMessageTransactions({
  operations: transactions,
  ...others
}: ReadTransactions): MessageTransactions {
  return { transactions, ...others };
}
