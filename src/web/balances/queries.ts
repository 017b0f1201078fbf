import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AccountHistory, DailyBalance } from '../../shared/contract/banks.ts';
import { call } from '../api/call.ts';

/** The last 30 days of every account in one call, read again whenever the accounts were. */
export function useTrends(accountsReadAt: number) {
  return useQuery({
    queryKey: ['balances', accountsReadAt],
    queryFn: ({ signal }) => call<AccountHistory[]>('GET', '/bridge/balances?days=30', { signal }),
    select: (histories) =>
      new Map(histories.map(({ account, balances }) => [account.id, balances])),
    enabled: accountsReadAt > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    gcTime: 0,
  }).data;
}

/** The last 90 days of one account. */
export function useHistory(accountId: number) {
  return useQuery({
    queryKey: ['balances', accountId, 'history'],
    queryFn: ({ signal }) =>
      call<DailyBalance[]>('GET', `/bridge/accounts/${accountId}/balances?days=90`, { signal }),
  });
}
