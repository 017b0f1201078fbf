import { useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'wouter';
import { currentToken, onTokenChange, recallSessionEnd } from '../api/token.ts';
import { forget, recall, remember } from '../browser/tab-storage.ts';
import { keepHandleForLater } from '../notifications/linking/handle.ts';

/** Where a sign-in leads instead of home. */
const wantedPathKey = 'way';

/** Since this page was opened. Who signs out by a press is not led back. */
let wasSignedIn = false;
const check = () => {
  wasSignedIn ||= currentToken() !== null;
};
onTokenChange(check);
check();

/**
 * Leads to /login. The page that was asked for waits in this tab until after the sign-in, with the
 * notice in its address, and so does a handle that the chat brought back.
 */
export function RedirectToLogin() {
  const [, navigate] = useLocation();
  useEffect(() => {
    keepHandleForLater(location.search);
    if (!wasSignedIn || recallSessionEnd() === 'expired')
      rememberWantedPath(new URL(location.href));
    navigate('/login', { replace: true });
  }, [navigate]);
  return null;
}

function rememberWantedPath(address: URL): void {
  address.searchParams.delete('token');
  const { pathname, search, hash } = address;
  if (pathname !== '/' || search !== '') remember(wantedPathKey, pathname + search + hash);
}

/** On a page for those who are not signed in: leads those who are to what they asked for. */
export function RedirectSignedIn({ from }: { from: string }) {
  const [, navigate] = useLocation();
  // Before the effects of the page that it takes the place of: these look where the person is now.
  useLayoutEffect(() => {
    // React may run this twice: the second time the path is taken, and this page is left.
    if (location.pathname !== from) return;
    const path = recall(wantedPathKey);
    forget(wantedPathKey);
    navigate(typeof path === 'string' ? path : '/', { replace: true });
  }, [from, navigate]);
  return null;
}
