import { forget, recall, remember } from './tab-storage.ts';
import { currentToken, keepToken } from './token.ts';

/** The server no longer knows this token. A late answer to an older session ends nothing. */
export function expireSession(token: string): void {
  if (token !== currentToken()) return;
  remember('expired', true);
  keepToken(null);
}

export function sessionExpired(): boolean {
  return recall('expired') === true;
}

export function forgetExpiry(): void {
  forget('expired');
}
