import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { keepHandleForLater } from '../notifications/chats/slack/handle.ts';

/** Leads to /login; a handle that the chat brought back waits in this tab until after the sign-in. */
export function SignInFirst() {
  const [, navigate] = useLocation();
  useEffect(() => {
    keepHandleForLater(location.search);
    navigate('/login', { replace: true });
  }, [navigate]);
  return null;
}
