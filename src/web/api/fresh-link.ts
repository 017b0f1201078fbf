import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useRef } from 'react';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { isWebAddress } from '../design/navigation.ts';
import { call } from './call.ts';
import { showFailure } from './failure.ts';

/** Addresses that lead to a provider expire after ten minutes or more: they are renewed well before. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * The address of a provider's page, which the API gives for a limited time, and the click on a link to
 * it: an address that became too old while the machine slept is asked for again, then followed.
 */
export function useFreshLink(path: string) {
  const query = useQuery({
    queryKey: ['link', path],
    queryFn: ({ signal }) => call<Redirection>('GET', path, { signal }),
    staleTime: MAX_AGE_MS,
    refetchInterval: MAX_AGE_MS,
    gcTime: MAX_AGE_MS,
  });
  const asking = useRef(false);
  async function follow(event: MouseEvent<HTMLAnchorElement>) {
    if (!asking.current && Date.now() - query.dataUpdatedAt <= MAX_AGE_MS) return;
    event.preventDefault();
    if (asking.current) return;
    asking.current = true;
    const { data, error } = await query.refetch();
    asking.current = false;
    if (error) showFailure(error);
    else if (data && isWebAddress(data.redirect_url)) location.assign(data.redirect_url);
  }
  const address = query.data?.redirect_url;
  return { query, address: address && isWebAddress(address) ? address : null, follow };
}
