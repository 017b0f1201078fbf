import { useSyncExternalStore } from 'react';

const KEY = 'tirelire.token';
const listeners = new Set<() => void>();
let current = readStored();

/** The session's token, shared by all tabs through local storage; null when signed out. */
export function currentToken(): string | null {
  return current;
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, currentToken);
}

export function keepToken(token: string | null): void {
  current = token;
  try {
    if (token === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, token);
  } catch {
    // Storage may be closed to us: the session then lives as long as the page.
  }
  for (const listener of listeners) listener();
}

window.addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return;
  current = readStored();
  for (const listener of listeners) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): string | null {
  try {
    return localStorage.getItem(KEY) || null;
  } catch {
    return null;
  }
}
