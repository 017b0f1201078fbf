import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { BankDirectory, OfferedSource } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { offerKeys } from '../queries.ts';

export type ListedBank = BankDirectory['banks'][number];

type OfKind<Kind extends OfferedSource['connect']['kind']> = OfferedSource & {
  connect: { kind: Kind };
};
export type FileSource = OfKind<'file'>;
export type ManualSource = OfKind<'manual'>;
export type RedirectSource = OfKind<'redirect'>;

export function isFile(offer: OfferedSource): offer is FileSource {
  return offer.connect.kind === 'file';
}

/** A service has a name to be known by; a file is known by what is done with it. */
export function titleOfWay(offer: OfferedSource): string {
  return isFile(offer) ? 'Importer un relevé' : offer.name;
}

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

/** After the person's credentials of a source changed: which sources have some, and so which banks are listed. */
export async function rereadOffers(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: offerKeys.sources });
  await client.invalidateQueries({ queryKey: offerKeys.directory });
}
