import type { ClockWatch } from '../../src/server/notifications/deliveries/clock-watch.ts';

/** For claims of tests and benches: the clock shows what they have set it to. */
export const trustedClock: Pick<ClockWatch, 'check'> = { check: async () => 'everything' };
