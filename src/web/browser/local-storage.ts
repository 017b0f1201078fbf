import { useSyncExternalStore } from 'react';

/**
 * One text in local storage, shared by all tabs; null when absent. Where the browser refuses its
 * storage, the value lives as long as the page. `onOtherTabChange` is told what another tab changed.
 */
export function localStorageText(
  key: string,
  onOtherTabChange?: (before: string | null, after: string | null) => void,
) {
  const listeners = new Set<() => void>();
  let value = readStored(key);
  const read = () => value;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  function show(next: string | null) {
    value = next;
    for (const listener of listeners) listener();
  }
  function reread() {
    const before = value;
    show(readStored(key));
    onOtherTabChange?.(before, value);
  }
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) reread();
  });
  return {
    read,
    /** Takes over what another tab wrote. */
    reread,
    subscribe,
    useValue: () => useSyncExternalStore(subscribe, read),
    write(next: string | null) {
      try {
        if (next === null) localStorage.removeItem(key);
        else localStorage.setItem(key, next);
      } catch {
        // The value is kept in memory alone.
      }
      show(next);
    },
  };
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}
