import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { handleIn, searchWithout, takeKeptHandle } from '../application/slack-handle.ts';
import { useAddMessenger } from './mutations.ts';

/** Handles already posted by this page: an installation is claimed once. */
const claimed = new Set<string>();

/**
 * Back from Slack with `?token=`: once the list is loaded the handle is posted, with or without
 * messengers, and leaves the address whatever the answer. Any other value is only taken out of it.
 */
export function useSlackArrival(loaded: boolean): void {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const { mutate, isPending } = useAddMessenger();

  useEffect(() => {
    const kept = takeKeptHandle();
    if (!kept) return;
    // A session that ended under its claim: it is claimed once more under the next.
    claimed.delete(kept);
    navigate(`${path}?token=${encodeURIComponent(kept)}`, { replace: true });
  }, [path, navigate]);

  useEffect(() => {
    const leave = () => navigate(path + searchWithout(location.search, 'token'), { replace: true });
    const handle = handleIn(search);
    if (handle === null) {
      if (new URLSearchParams(search).has('token')) leave();
      return;
    }
    if (!loaded || isPending) return;
    // Come back to before its answer, the address brings it once more.
    if (claimed.has(handle)) return leave();
    claimed.add(handle);
    mutate(handle, { onSettled: leave });
  }, [search, path, navigate, loaded, mutate, isPending]);
}
