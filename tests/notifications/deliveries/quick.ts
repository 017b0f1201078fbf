import {
  type DeliverySettings,
  deliverySettings,
} from '../../../src/server/notifications/deliveries/settings.ts';

/** The pace of each chat, but for the gap between two messages in one channel. */
export function gapOf(channelGapMs: number): Pick<DeliverySettings, 'paceOf'> {
  return { paceOf: (chat) => ({ ...deliverySettings.paceOf(chat), channelGapMs }) };
}

/** The rules are the real ones; only what a test would wait for is short. */
export const quick: DeliverySettings = {
  ...deliverySettings,
  ...gapOf(20),
  idleMs: 60,
  claimAtLeastEveryMs: 60,
  backoffSeconds: () => 0.05,
  steadyClockMs: 100,
  settledWithinMs: 1000,
};
