import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { forget, recall, remember } from '../browser/tab-storage.ts';
import { isWebAddress } from '../design/navigation.ts';
import { hideOutlineUntilKey } from '../design/requested-focus.ts';
import { call } from './call.ts';
import { showFailure } from './failure.ts';

/** Addresses that lead to a provider expire after ten minutes or more: they are renewed well before. */
const maxAgeMs = 5 * 60_000;

/** How a provider's page was opened, for the page that it leads back to. */
const byPointerKey = 'pointer';

if (recall(byPointerKey) === true) hideOutlineUntilKey();
forget(byPointerKey);

/**
 * The address of a provider's page, which the API gives for a limited time, and the click on a link to
 * it: an address that is not there yet, or became too old while the machine slept, is awaited, then
 * followed, unless the person went to another page meanwhile.
 */
export function useProviderLink(path: string) {
  const query = useQuery({
    queryKey: ['link', path],
    queryFn: ({ signal }) => call<Redirection>('GET', path, { signal }),
    staleTime: maxAgeMs,
    refetchInterval: maxAgeMs,
    gcTime: maxAgeMs,
  });
  const [isFollowing, setFollowing] = useState(false);
  const address = addressIn(query.data);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  async function follow(event: MouseEvent) {
    // A click of the keyboard counts none.
    remember(byPointerKey, event.detail > 0);
    if (!isFollowing && address && isFresh(query.dataUpdatedAt)) {
      // The address may come during the press; a link leads there by itself.
      if (event.currentTarget instanceof HTMLButtonElement) location.assign(address);
      return;
    }
    event.preventDefault();
    if (isFollowing) return;
    setFollowing(true);
    // The first asking may be under way: it is not begun anew.
    const { data, dataUpdatedAt, error } = await query.refetch({ cancelRefetch: false });
    if (!isMounted.current) return;
    setFollowing(false);
    // After a failed call, the data are those of an earlier one.
    const obtained = isFresh(dataUpdatedAt) ? addressIn(data) : null;
    if (obtained) location.assign(obtained);
    else showFailure(error);
  }
  return { address, follow, isFollowing };
}

function isFresh(obtainedAt: number): boolean {
  return Date.now() - obtainedAt <= maxAgeMs;
}

/** Null also for an address that may not be followed. */
function addressIn(answer: Redirection | undefined): string | null {
  const address = answer?.redirect_url;
  return address && isWebAddress(address) ? address : null;
}
