import { useSyncExternalStore } from 'react';

const KEY = 'tirelire.amounts';
const listeners = new Set<() => void>();
let hidden = readStored();

/** Whether amounts are hidden on screen: remembered by this browser, for every tab. */
export function useHidden(): boolean {
  return useSyncExternalStore(subscribe, () => hidden);
}

export function hideAmounts(hide: boolean): void {
  hidden = hide;
  try {
    if (hide) localStorage.setItem(KEY, 'hidden');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be closed to us: the choice then lives as long as the page.
  }
  tell();
}

addEventListener('storage', () => {
  hidden = readStored();
  tell();
});

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'hidden';
  } catch {
    return false;
  }
}
