import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { isWebAddress } from '../design/navigation.ts';
import { call } from './call.ts';
import { showFailure } from './failure.ts';

/** Addresses that lead to a provider expire after ten minutes or more: they are renewed well before. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * The address of a provider's page, which the API gives for a limited time, and the click on a link to
 * it: an address that is not there yet, or became too old while the machine slept, is awaited, then
 * followed.
 */
export function useFreshLink(path: string) {
  const query = useQuery({
    queryKey: ['link', path],
    queryFn: ({ signal }) => call<Redirection>('GET', path, { signal }),
    staleTime: MAX_AGE_MS,
    refetchInterval: MAX_AGE_MS,
    gcTime: MAX_AGE_MS,
  });
  const [isFollowing, setFollowing] = useState(false);
  const address = addressIn(query.data);
  async function follow(event: MouseEvent) {
    if (!isFollowing && address && Date.now() - query.dataUpdatedAt <= MAX_AGE_MS) return;
    event.preventDefault();
    if (isFollowing) return;
    setFollowing(true);
    // The first asking may be under way: it is not begun anew.
    const { data, error } = await query.refetch({ cancelRefetch: false });
    setFollowing(false);
    const obtained = addressIn(data);
    if (error) showFailure(error);
    else if (obtained) location.assign(obtained);
  }
  return { address, follow, isFollowing };
}

function addressIn(answer: Redirection | undefined): string | null {
  const address = answer?.redirect_url;
  return address && isWebAddress(address) ? address : null;
}
