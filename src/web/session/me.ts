import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { browserZone, loadCities } from '../time/calendar.ts';

/** The signed-in user with the notifications: one answer for the home page and the account. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  // From page to page it is not asked for again; what changes it invalidates it.
  staleTime: 60_000,
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
  await loadCities([browserZone(), ...messengers.map(({ hour }) => hour.zone)]);
  return { ...me, messengers, messengersNext: null };
}
