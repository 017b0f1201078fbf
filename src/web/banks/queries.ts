import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { itemStateOf } from '../../shared/banks/item-states.ts';
import type { BankAccount, BankItem } from '../../shared/contract/banks.ts';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';

const SYNC_POLL_MS = 3_000;
/** A connect address older than this is asked for again. */
export const CONNECT_MAX_AGE_MS = 5 * 60_000;

export const bankKeys = {
  items: ['banks', 'items'],
  accounts: ['banks', 'accounts'],
  connect: ['bank-connect'],
} as const;

export function useItems() {
  return useQuery({
    queryKey: bankKeys.items,
    queryFn: ({ signal }) => call<BankItem[]>('GET', '/bridge/items', { signal }),
    meta: { homeLoad: true },
    refetchInterval: ({ state }) => (state.data?.some(isRefreshing) ? SYNC_POLL_MS : false),
  });
}

export function useAccounts(refreshing: boolean) {
  const client = useQueryClient();
  // Accounts read beside the last unfinished answer may lack what the synchronisation then brought.
  useEffect(() => {
    if (!refreshing) return;
    return () => void client.invalidateQueries({ queryKey: bankKeys.accounts });
  }, [refreshing, client]);
  return useQuery({
    queryKey: bankKeys.accounts,
    queryFn: ({ signal }) =>
      call<BankAccount[]>('GET', '/bridge/accounts?types[]=checking', { signal }),
    meta: { homeLoad: true },
    refetchInterval: refreshing ? SYNC_POLL_MS : false,
  });
}

export function useConnectAddress() {
  return useQuery({
    queryKey: bankKeys.connect,
    queryFn: ({ signal }) => call<Redirection>('GET', '/bridge/items/connect', { signal }),
    staleTime: CONNECT_MAX_AGE_MS,
    refetchInterval: CONNECT_MAX_AGE_MS,
    gcTime: 0,
  });
}

function isRefreshing(item: BankItem): boolean {
  return itemStateOf(item.status, null).refreshing;
}
