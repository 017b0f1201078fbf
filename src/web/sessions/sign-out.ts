import { call } from '../api/call.ts';
import { forgetEverything } from './tab-storage.ts';
import { onTabMessage, tellOtherTabs } from './tabs.ts';
import { currentToken, keepToken, rereadToken } from './token.ts';

/** Every trace leaves every tab first; the server is told afterwards, whether it answers or not. */
export function signOut(): void {
  const token = currentToken();
  // An installation that is being claimed there is this person's: nobody else's after them.
  history.replaceState(history.state, '', location.pathname);
  forgetSession();
  if (token) call('POST', '/accounts/logout', { token, keepalive: true }).catch(() => {});
}

/** The same for a session that the server has ended already. */
export function forgetSession(): void {
  forgetEverything();
  keepToken(null);
  tellOtherTabs('signed-out');
}

onTabMessage((message) => {
  if (message !== 'signed-out') return;
  forgetEverything();
  // Told late, somebody may have signed in since.
  rereadToken();
});
