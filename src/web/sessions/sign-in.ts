import type { Login, SessionToken } from '../../shared/contract/sessions.ts';
import { call } from '../api/call.ts';
import { keepToken } from './token.ts';

export async function signIn(login: Login): Promise<void> {
  const { token } = await call<SessionToken>('POST', '/accounts/login', { body: login });
  keepToken(token);
}
