import {
  type DeliverySettings,
  deliverySettings,
} from '../../../src/server/notifications/deliveries/settings.ts';

/** The pace of each chat, but for the gap between two messages in one channel. */
export function gapOf(channelGapMs: number): Pick<DeliverySettings, 'paceOf'> {
  return { paceOf: (chat) => ({ ...deliverySettings.paceOf(chat), channelGapMs }) };
}

/** Most tests post several messages into one channel, and look for what they wait for. */
const looking = { idleMs: 60, claimAtLeastEveryMs: 60, ...gapOf(20) };

/** The rules are the real ones; only what a test would wait for is short. */
export const quick: DeliverySettings = {
  ...deliverySettings,
  ...looking,
  backoffSeconds: () => 0.05,
  steadyClockMs: 100,
  settledWithinMs: 1000,
};
