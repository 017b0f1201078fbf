import { call } from '../api/call.ts';
import { forgetEverything } from './tab-storage.ts';
import { onTabMessage, tellOtherTabs } from './tabs.ts';
import { currentToken, keepToken } from './token.ts';

/** Every trace leaves every tab first; the server is told afterwards, whether it answers or not. */
export function signOut(): void {
  const token = currentToken();
  forgetSession();
  if (token) call('POST', '/accounts/logout', { token, keepalive: true }).catch(() => {});
}

/** The same for a session that the server has ended already. */
export function forgetSession(): void {
  forgetHere();
  tellOtherTabs('signed-out');
}

onTabMessage((message) => {
  if (message === 'signed-out') forgetHere();
});

function forgetHere(): void {
  forgetEverything();
  keepToken(null);
}
