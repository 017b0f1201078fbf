import { type QueryFunctionContext, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { itemStateOf } from '../../shared/banks/item-states.ts';
import type { BankAccount, BankItem } from '../../shared/contract/banks.ts';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';

const SYNC_POLL_MS = 4_000;
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
    queryFn: (context) => storedFirst<BankItem>('/bridge/items?', context),
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
    queryFn: (context) => storedFirst<BankAccount>('/bridge/accounts?types[]=checking&', context),
    meta: { homeLoad: true },
    refetchInterval: refreshing ? SYNC_POLL_MS : false,
  });
}

/** What the page already knows, without asking the bank for more. */
export function useKnownAccounts(): BankAccount[] {
  return useQuery<BankAccount[]>({ queryKey: bankKeys.accounts, enabled: false }).data ?? none;
}

export function useKnownItems(): BankItem[] {
  return useQuery<BankItem[]>({ queryKey: bankKeys.items, enabled: false }).data ?? none;
}

const none: never[] = [];

export function useConnectAddress() {
  return useQuery({
    queryKey: bankKeys.connect,
    queryFn: ({ signal }) => call<Redirection>('GET', '/bridge/items/connect', { signal }),
    staleTime: CONNECT_MAX_AGE_MS,
    refetchInterval: CONNECT_MAX_AGE_MS,
    gcTime: 0,
  });
}

/**
 * A first reading shows what the server remembers while the bank itself is asked. Whoever has nothing
 * stored waits for the bank: an empty list would say too early that there is none. A bank service that
 * does not answer is an error, so that the page says how things stand.
 */
function storedFirst<Row>(
  path: string,
  { client, queryKey, signal }: QueryFunctionContext,
): Promise<Row[]> {
  const isFirst = client.getQueryData(queryKey) === undefined;
  if (isFirst) {
    call<Row[]>('GET', `${path}stored=1`, { signal }).then(
      (rows) => client.setQueryData(queryKey, (known) => known ?? (rows.length > 0 ? rows : known)),
      () => {},
    );
  }
  return call<Row[]>('GET', `${path}fresh=1`, { signal });
}

function isRefreshing(item: BankItem): boolean {
  return itemStateOf(item.status, null).refreshing;
}
