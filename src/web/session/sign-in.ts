import { useState, useTransition } from 'react';
import type { Login, SessionToken } from '../../shared/contract/sessions.ts';
import { call } from '../api/call.ts';
import { detailsOf, showFailure } from '../api/failure.ts';
import { currentToken, keepToken } from '../api/token.ts';

export async function signIn(login: Login): Promise<void> {
  const { token } = await call<SessionToken>('POST', '/accounts/login', { body: login });
  keepToken(token);
}

/**
 * Sends a form of the pages that need no session. They use React's transition and not a mutation of
 * TanStack Query: its client alone is 7 KiB, more than the size budget of /login leaves.
 */
export function useSubmit<Input>(send: (input: Input) => Promise<void>) {
  const [busy, startTransition] = useTransition();
  const [failure, setFailure] = useState<unknown>(null);
  function submit(input: Input) {
    setFailure(null);
    startTransition(async () => {
      const token = currentToken();
      try {
        await send(input);
      } catch (failure) {
        // The session ended meanwhile: the page that follows says so.
        if (token !== currentToken()) return;
        showFailure(failure);
        setFailure(failure);
      }
    });
  }
  return { busy, submit, refused: detailsOf(failure) };
}
