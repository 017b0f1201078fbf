import type { ClaimWatch } from '../../src/server/notifications/deliveries/due.ts';

/** For claims of tests and benches: the clock shows what they have set it to, and no bank is read. */
export const trustedClock: ClaimWatch = {
  check: async () => 'everything',
  isHeld: async () => false,
};
