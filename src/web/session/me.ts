import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';

/** The signed-in user with the notifications: one answer for the home page and the account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<Me>('GET', '/users/me', { signal }),
});
