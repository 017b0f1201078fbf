import { localStorageText } from '../browser/local-storage.ts';
import { forget, recall, remember } from '../browser/tab-storage.ts';
import { onTabMessage, tellOtherTabs } from '../browser/tabs.ts';

const endKey = 'end';
const endListeners = new Set<() => void>();

/** The bearer token of the session; null when signed out. */
export const {
  read: currentToken,
  reread: rereadToken,
  subscribe: onTokenChange,
  useValue: useToken,
  write: keepToken,
} = localStorageText('tirelire.token', (before, after) => {
  if (after) forgetSessionEnd();
  else if (before) rememberSessionEnd(recallSessionEnd() ?? 'elsewhere');
});

/** Why this tab is signed out, where the person did not ask for it here. */
export type SessionEnd = 'expired' | 'gone' | 'elsewhere';

/** The server no longer knows this token, or its account. A late answer to an older session ends nothing. */
export function expireToken(token: string, ended: 'expired' | 'gone'): void {
  // Of a newer one this tab may not have heard yet.
  rereadToken();
  if (token !== currentToken()) return;
  rememberSessionEnd(ended);
  tellOtherTabs({ ended });
  keepToken(null);
}

/** Kept in this tab until the next sign-in page was left. */
export function rememberSessionEnd(end: SessionEnd): void {
  remember(endKey, end);
  for (const listener of endListeners) listener();
}

export function recallSessionEnd(): SessionEnd | null {
  const end = recall(endKey);
  return end === 'expired' || end === 'gone' || end === 'elsewhere' ? end : null;
}

export function forgetSessionEnd(): void {
  forget(endKey);
}

/** Told by another tab, it may come after the sign-in page was drawn. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

onTabMessage((message) => {
  if (typeof message === 'object' && 'ended' in message) rememberSessionEnd(message.ended);
});
