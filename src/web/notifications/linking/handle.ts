import { forget, recall, remember } from '../../browser/tab-storage.ts';

/** Named when Slack alone had a consent page; open tabs hold it under this name. */
const handleKey = 'slack-handle';

/** The handle of a pending link of a chat in an address's query; null for any other value. */
export function handleIn(search: string): string | null {
  const value = new URLSearchParams(search).get('token');
  return value && /^tirelire-[a-z]+-./.test(value) ? value : null;
}

export function keepHandleForLater(search: string): void {
  const handle = handleIn(search);
  if (handle) remember(handleKey, handle);
}

/** The consent page of a chat sent the person back just now, or before the sign-in. */
export function isBackFromConsent(search: string): boolean {
  return search.includes('token=') || recall(handleKey) !== null;
}

/** The handle kept before the sign-in; it is forgotten with this. */
export function takeKeptHandle(): string | null {
  const kept = recall(handleKey);
  forget(handleKey);
  return typeof kept === 'string' ? handleIn(`?token=${encodeURIComponent(kept)}`) : null;
}
