import { useSyncExternalStore } from 'react';

/** One text that this browser remembers, shared by all tabs through local storage; null when absent. */
export function remembered(key: string) {
  const listeners = new Set<() => void>();
  let value = readStored(key);
  const read = () => value;
  function tell() {
    for (const listener of listeners) listener();
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  function reread() {
    value = readStored(key);
    tell();
  }
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) reread();
  });
  return {
    read,
    /** What another tab left there. */
    reread,
    useValue: () => useSyncExternalStore(subscribe, read),
    keep(next: string | null) {
      value = next;
      try {
        if (next === null) localStorage.removeItem(key);
        else localStorage.setItem(key, next);
      } catch {
        // Storage may be closed to us: the value then lives as long as the page.
      }
      tell();
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
