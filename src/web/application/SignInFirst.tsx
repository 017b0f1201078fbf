import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { remember } from '../browser/tab-storage.ts';
import { keepHandleForLater } from '../notifications/chats/slack/handle.ts';

/** Where a sign-in leads instead of home. */
export const WAY = 'way';

/**
 * Leads to /login. A handle that the chat brought back waits in this tab until after the sign-in, and so
 * does the way to the page of a bank.
 */
export function SignInFirst() {
  const [, navigate] = useLocation();
  useEffect(() => {
    keepHandleForLater(location.search);
    if (/^\/(renouveler|banque)\//.test(location.pathname)) remember(WAY, location.pathname);
    navigate('/login', { replace: true });
  }, [navigate]);
  return null;
}
