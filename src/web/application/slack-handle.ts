import { forget, recall, remember } from '../sessions/tab-storage.ts';

const PREFIX = 'tirelire-slack-';
const KEPT = 'slack-handle';

/** The handle of a pending Slack installation in an address's query; a foreign value is none. */
export function handleIn(search: string): string | null {
  const value = new URLSearchParams(search).get('token');
  return value?.startsWith(PREFIX) && value.length > PREFIX.length ? value : null;
}

export function keepHandleForLater(search: string): void {
  const handle = handleIn(search);
  if (handle) remember(KEPT, handle);
}

/** The handle kept before a detour by /login, once. */
export function takeKeptHandle(): string | null {
  const kept = recall(KEPT);
  forget(KEPT);
  return typeof kept === 'string' ? handleIn(`?token=${encodeURIComponent(kept)}`) : null;
}

/** The same query without the given names. */
export function searchWithout(search: string, ...names: string[]): string {
  const query = new URLSearchParams(search);
  for (const name of names) query.delete(name);
  const rest = query.toString();
  return rest && `?${rest}`;
}
