import { EventEmitter, once } from 'node:events';
import type { DeliverySignals } from '../deps.ts';

export function createDeliverySignals(): DeliverySignals {
  const events = new EventEmitter().setMaxListeners(0);
  return {
    waiting: () => void events.emit('waiting'),
    onWaiting(listener) {
      events.on('waiting', listener);
      return () => void events.off('waiting', listener);
    },
    ended: (deliveryId) => void events.emit(deliveryId),
    async untilEnded(deliveryId, atMostMs) {
      const signal = AbortSignal.timeout(atMostMs);
      await once(events, deliveryId, { signal }).catch(() => {});
    },
  };
}
