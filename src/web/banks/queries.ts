import {
  focusManager,
  type QueryFunctionContext,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AccountHistory, BankAccount, BankItem } from '../../shared/contract/banks.ts';
import { backoffMs } from '../api/backoff.ts';
import { call } from '../api/call.ts';
import { useLastKnown } from '../api/last-known.ts';
import { beginHomeLoad } from '../session/query-client.tsx';
import { now } from '../time/clock.ts';
import type { Histories } from './totals.ts';

const syncPollMs = 4_000;

export const bankKeys = {
  all: ['banks'],
  data: ['banks', 'data'],
} as const;

/** What the dialog that links a bank offers. */
export const offerKeys = {
  sources: ['bank-sources'],
  directory: ['bank-directory'],
} as const;

/** Connections and accounts of one reading of the bank: they never contradict each other. */
export interface BankData {
  connections: BankItem[];
  accounts: BankAccount[];
}

/** The same for every component: the last one that mounts sets what becomes of a failure. */
const bankData = queryOptions({
  queryKey: bankKeys.data,
  queryFn: storedFirst,
  // A way back to the page shows what is known; the bank service is asked again when it is old, when
  // the tab is shown again, and while a connection is being read.
  staleTime: 5 * 60_000,
  meta: { homeLoad: true },
});

export function useBankData() {
  useRereadWhenShown();
  // A wait begins anew with the page that shows it, and so does the home load.
  useEffect(
    () => () => {
      refreshingSince.clear();
      beginHomeLoad();
    },
    [],
  );
  return useQuery({
    ...bankData,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => nextPollMs(state.data?.connections ?? [], now().getTime()),
  });
}

/**
 * The person may come back from the bank's page: what changed there is read again. A reading under
 * way may have missed it, so it is given up and asked for anew, which refetchOnWindowFocus would not do.
 */
function useRereadWhenShown(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      focusManager.subscribe((isShown) => {
        if (isShown) client.invalidateQueries({ queryKey: bankKeys.all });
      }),
    [client],
  );
}

/** What the page already knows, without asking the bank for more. */
export function useCachedBankData(): BankData {
  return useCachedBankDataOrNull() ?? none;
}

const none: BankData = { connections: [], accounts: [] };

/** The same; null before anything was read. */
export function useCachedBankDataOrNull(): BankData | null {
  return useQuery({ ...bankData, enabled: false }).data ?? null;
}

/**
 * The last days of every account in one call, read again whenever the accounts were. Those known stay
 * when that fails.
 */
export function useBalanceHistories(accountsReadAt: number, days: number) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['balances', accountsReadAt, days],
    queryFn: ({ signal }) =>
      call<AccountHistory[]>('GET', `/bridge/balances?days=${days}`, { signal }),
    select: byAccount,
    enabled: accountsReadAt > 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const histories = useLastKnown(data);
  return { histories, isMissing: isError && !histories, isFetching, refetch };
}

function byAccount(histories: AccountHistory[]): Histories {
  return new Map(histories.map(({ account, balances }) => [account.id, balances]));
}

type ReadingContext = Pick<QueryFunctionContext, 'client' | 'queryKey'> &
  Partial<Pick<QueryFunctionContext, 'signal'>>;

/**
 * A first reading shows what the server has stored while the bank itself is asked. When nothing is
 * stored it waits for the bank: an empty list would say too early that there is none. A bank service
 * that does not answer is an error, which the page tells.
 */
async function storedFirst(context: ReadingContext): Promise<BankData> {
  const { client, queryKey, signal } = context;
  const connections = call<BankItem[]>('GET', '/bridge/items?fresh=1', { signal });
  const shown = client.getQueryData(queryKey) ?? showStored(context);
  try {
    // That reading brought the accounts too: asking the bank again would spend its calls.
    return { connections: await connections, accounts: await storedAccounts(signal) };
  } catch (failure) {
    // What is stored must not arrive after the failure: it would pass for a success.
    await shown;
    // Other bank services were read all the same, and what the person changed is stored.
    await showStored(context);
    throw failure;
  }
}

/** Unless the same is shown already: what belongs to it would be read again. */
export async function showStored({ client, queryKey, signal }: ReadingContext): Promise<void> {
  const shown = client.getQueryData(queryKey);
  try {
    const known = call<BankItem[]>('GET', '/bridge/items?stored=1', { signal });
    const [connections, accounts] = await Promise.all([known, storedAccounts(signal)]);
    if (connections.length === 0 && !shown) return;
    // A reading that was stored between both answers brought a connection without its accounts.
    const isWhole = connections.every(({ id }) => accounts.some(({ item }) => item.id === id));
    const data = { connections, accounts: isWhole ? accounts : await storedAccounts(signal) };
    const isNews = JSON.stringify(shown) !== JSON.stringify(data);
    client.setQueryData(queryKey, (newest) => (isNews && newest === shown ? data : undefined));
  } catch {
    // The reading under way tells what failed.
  }
}

function storedAccounts(signal: AbortSignal | undefined): Promise<BankAccount[]> {
  return call<BankAccount[]>('GET', '/bridge/accounts?types[]=checking&stored=1', { signal });
}

/** When each connection was first seen being read, in milliseconds since the epoch. */
const refreshingSince = new Map<number, number>();

/** Milliseconds until the connections that are being read are asked for again; false without any. */
function nextPollMs(connections: readonly BankItem[], at: number): number | false {
  let shortest: number | false = false;
  for (const { id, state } of connections) {
    if (state !== 'refreshing') {
      refreshingSince.delete(id);
      continue;
    }
    const since = refreshingSince.get(id) ?? at;
    refreshingSince.set(id, since);
    shortest = Math.min(shortest || Number.POSITIVE_INFINITY, backoffMs(at - since, syncPollMs));
  }
  return shortest;
}
