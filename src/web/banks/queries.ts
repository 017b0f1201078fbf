import { type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import type { BankAccount, BankItem } from '../../shared/contract/banks.ts';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';

const SYNC_POLL_MS = 4_000;
/** A connect address older than this is asked for again. */
export const CONNECT_MAX_AGE_MS = 5 * 60_000;

export const bankKeys = {
  data: ['banks', 'data'],
  connect: ['bank-connect'],
} as const;

/** Connections and accounts of one reading of the bank: they never contradict each other. */
export interface BankData {
  items: BankItem[];
  accounts: BankAccount[];
}

/** One for all who look: the last of them decides what becomes of a failure. */
const reading = { queryKey: bankKeys.data, queryFn: storedFirst, meta: { homeLoad: true } };

export function useBankData() {
  return useQuery({
    ...reading,
    // Home does it, and ends what is under way.
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.items.some(isRefreshing) ? SYNC_POLL_MS : false),
  });
}

/** What the page already knows, without asking the bank for more. */
export function useKnownBankData(): BankData {
  return useQuery({ ...reading, enabled: false }).data ?? none;
}

const none: BankData = { items: [], accounts: [] };

export function useConnectAddress() {
  return useQuery({
    queryKey: bankKeys.connect,
    queryFn: ({ signal }) => call<Redirection>('GET', '/bridge/items/connect', { signal }),
    staleTime: CONNECT_MAX_AGE_MS,
    refetchInterval: CONNECT_MAX_AGE_MS,
    gcTime: 0,
  });
}

type ReadingContext = Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>;

/**
 * A first reading shows what the server remembers while the bank itself is asked. Whoever has nothing
 * stored waits for the bank: an empty list would say too early that there is none. A bank service that
 * does not answer is an error, so that the page says how things stand.
 */
async function storedFirst({ client, queryKey, signal }: ReadingContext): Promise<BankData> {
  const items = call<BankItem[]>('GET', '/bridge/items?fresh=1', { signal });
  const isFirst = client.getQueryData(queryKey) === undefined;
  const stored = isFirst ? showStored({ client, queryKey, signal }) : null;
  try {
    // The one reading brought both: asking the bank again would spend its calls for nothing.
    return { items: await items, accounts: await storedAccounts(signal) };
  } catch (failure) {
    // Shown after it, what is stored would pass for a success.
    await stored;
    throw failure;
  }
}

function showStored({ client, queryKey, signal }: ReadingContext): Promise<void> {
  const items = call<BankItem[]>('GET', '/bridge/items?stored=1', { signal });
  return Promise.all([items, storedAccounts(signal)]).then(
    ([items, accounts]) => {
      client.setQueryData(
        queryKey,
        (known) => known ?? (items.length > 0 ? { items, accounts } : known),
      );
    },
    () => {},
  );
}

function storedAccounts(signal: AbortSignal): Promise<BankAccount[]> {
  return call<BankAccount[]>('GET', '/bridge/accounts?types[]=checking&stored=1', { signal });
}

function isRefreshing(item: BankItem): boolean {
  return item.state === 'refreshing';
}
