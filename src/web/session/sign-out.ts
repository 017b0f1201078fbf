import { call } from '../api/call.ts';
import {
  currentToken,
  keepToken,
  onTokenChange,
  recallSessionEnd,
  rememberSessionEnd,
  rereadToken,
} from '../api/token.ts';
import { forgetEverything } from '../browser/tab-storage.ts';
import { onTabMessage, tellOtherTabs } from '../browser/tabs.ts';
import { forgetHeights } from '../design/recorded-heights.ts';
import { setAmountsHidden } from '../money/hiding.ts';

/** Every trace leaves every tab first; the server is told afterwards, whether it answers or not. */
export function signOut(): void {
  const token = currentToken();
  // A chat installation that the address still brings belongs to this person, not to the next.
  history.replaceState(history.state, '', location.pathname);
  forgetSession();
  if (token) call('POST', '/accounts/logout', { token, keepalive: true }).catch(() => {});
}

/** The same for a session that the server has ended already. */
export function forgetSession(): void {
  forgetEverything();
  setAmountsHidden(false);
  keepToken(null);
  tellOtherTabs('signed-out');
}

onTabMessage((message) => {
  if (message !== 'signed-out') return;
  // The browser may have told of the token before: the word about it stays.
  const end = recallSessionEnd();
  forgetEverything();
  if (end) rememberSessionEnd(end);
  // When this message comes late, another session may have begun since.
  rereadToken();
});

onTokenChange(() => {
  if (currentToken() === null) forgetHeights();
});
