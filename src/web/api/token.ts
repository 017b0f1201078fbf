import { storedText } from '../browser/local-storage.ts';
import { remember } from '../browser/tab-storage.ts';

/** The bearer token of the session; null when signed out. */
export const {
  read: currentToken,
  reread: rereadToken,
  subscribe: onTokenChange,
  useValue: useToken,
  write: keepToken,
} = storedText('tirelire.token');

/** What this tab remembers until the next sign-in page was left. */
export const EXPIRED = 'expired';

/** The server no longer knows this token. A late answer to an older session ends nothing. */
export function expireToken(token: string): void {
  if (token !== currentToken()) return;
  remember(EXPIRED, true);
  keepToken(null);
}
