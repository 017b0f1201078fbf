import { call } from '../api/call.ts';
import { forgetEverything } from './tab-storage.ts';
import { onTabMessage, tellOtherTabs } from './tabs.ts';
import { currentToken, keepToken } from './token.ts';

/** Every trace leaves every tab first; the server is told afterwards, whether it answers or not. */
export function signOut(): void {
  const token = currentToken();
  forgetHere();
  tellOtherTabs('signed-out');
  if (token) call('POST', '/accounts/logout', { token, keepalive: true }).catch(() => {});
}

onTabMessage((message) => {
  if (message === 'signed-out') forgetHere();
});

function forgetHere(): void {
  forgetEverything();
  keepToken(null);
}
