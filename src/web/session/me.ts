import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';

/** The signed-in user with the notifications: one answer for the home page and the account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
});

/** With all of the notifications, which come in one answer unless there are very many. */
async function readMe(signal: AbortSignal): Promise<Me> {
  const me = await call<Me>('GET', '/users/me', { signal });
  const messengers = [...me.messengers];
  for (let next = me.messengersNext; next !== null; ) {
    const page = await call<Me>('GET', `/users/me?messengersAfter=${next}`, { signal });
    messengers.push(...page.messengers);
    next = page.messengersNext;
  }
  return { ...me, messengers, messengersNext: null };
}
