import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useAddMessenger } from '../mutations.ts';
import { handleIn, takeKeptHandle } from './handle.ts';

/** Handles that this page has posted, an installation being connected once, and which are answered. */
const posts = new Map<string, 'pending' | 'settled'>();

/**
 * Back from the consent page of a chat with `?token=`: once the list is loaded the handle is posted, with
 * or without messengers, and leaves the address whatever the answer. Any other value is only taken out of
 * it.
 */
export function ConsentReturn({ loaded }: { loaded: boolean }) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const { mutateAsync } = useAddMessenger();

  useEffect(() => {
    const kept = takeKeptHandle();
    if (!kept) return;
    // The session ended while it was posted: it is posted once more under the next.
    posts.delete(kept);
    navigate(`${path}?token=${encodeURIComponent(kept)}`, { replace: true });
  }, [path, navigate]);

  useEffect(() => {
    const handle = handleIn(search);
    // The answer may come when the person is on another page: its address stays.
    function leave() {
      if (handleIn(location.search) !== handle) return;
      const address = new URL(location.href);
      address.searchParams.delete('token');
      navigate(address.pathname + address.search, { replace: true });
    }
    if (handle === null) {
      if (new URLSearchParams(search).has('token')) leave();
      return;
    }
    if (!loaded || posts.get(handle) === 'pending') return;
    // After a way back in the history, the address holds it once more.
    if (posts.has(handle)) return leave();
    posts.set(handle, 'pending');
    mutateAsync(handle)
      .catch(() => {})
      .finally(() => {
        posts.set(handle, 'settled');
        leave();
      });
  }, [search, navigate, loaded, mutateAsync]);

  return null;
}
