import type { UseQueryResult } from '@tanstack/react-query';
import { type MouseEvent, useRef } from 'react';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { failureText } from '../api/failure.ts';
import { isWebAddress } from '../design/navigation.ts';
import { showToast } from '../toasts/toasts.ts';

/**
 * Addresses given for a while only: a link whose address grew too old while the machine slept asks
 * for a new one at the click, then follows it.
 */
export function useFreshLink(address: UseQueryResult<Redirection>, maxAgeMs: number) {
  const asking = useRef(false);
  return async (event: MouseEvent<HTMLAnchorElement>) => {
    if (!asking.current && Date.now() - address.dataUpdatedAt <= maxAgeMs) return;
    event.preventDefault();
    if (asking.current) return;
    asking.current = true;
    const { data, error } = await address.refetch();
    asking.current = false;
    if (error) showToast('error', failureText(error));
    else if (data && isWebAddress(data.redirect_url)) location.assign(data.redirect_url);
  };
}
