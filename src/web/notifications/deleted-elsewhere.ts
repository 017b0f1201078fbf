import { type RefObject, useEffect, useRef } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { showToast } from '../design/toasts/toasts.ts';

/**
 * Says that a notification has left without a press here, which takes its unsaved changes along, and gives
 * the focus that it had to the heading. Returns what is to be called with the id of one that is deleted here.
 */
export function useDeletedElsewhere(
  messengers: readonly Messenger[] | undefined,
  heading: RefObject<HTMLElement | null>,
): (id: string) => void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    if (!messengers) return;
    const ids = new Set(messengers.map(({ id }) => id));
    const isAnyGone = [...known.current].some((id) => !ids.has(id));
    known.current = ids;
    if (!isAnyGone) return;
    showToast('error', 'Une notification a été supprimée ailleurs.');
    if (document.activeElement === document.body) heading.current?.focus();
  }, [messengers, heading]);
  return (id) => known.current.delete(id);
}
