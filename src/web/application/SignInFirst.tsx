import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { keepHandleForLater } from './slack-handle.ts';

/** Leads to /login; a handle brought back from Slack waits in this tab until somebody signed in. */
export function SignInFirst() {
  const [, navigate] = useLocation();
  useEffect(() => {
    keepHandleForLater(location.search);
    navigate('/login', { replace: true });
  }, [navigate]);
  return null;
}
