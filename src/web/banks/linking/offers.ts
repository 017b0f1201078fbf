import { useQuery } from '@tanstack/react-query';
import type { BankDirectory, OfferedSource } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { offerKeys } from '../queries.ts';

export type ListedBank = BankDirectory['banks'][number];

const freshForMs = 5 * 60_000;

/** The sources that this installation offers, in the order in which one is preferred. */
export function useOffers() {
  return useQuery({
    queryKey: offerKeys.sources,
    queryFn: ({ signal }) => call<OfferedSource[]>('GET', '/banks/sources', { signal }),
    staleTime: freshForMs,
  });
}

/** The banks of all sources in one country. */
export function useDirectory(country: string) {
  return useQuery({
    queryKey: [...offerKeys.directory, country],
    queryFn: ({ signal }) =>
      call<BankDirectory>('GET', `/banks/directory?country=${country}`, { signal }),
    // What a source did not give is asked for again when the list is opened again.
    staleTime: ({ state }) => (state.data?.missing.length ? 0 : freshForMs),
  });
}
