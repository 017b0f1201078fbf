import { EventEmitter, once } from 'node:events';

/** What the halves of one process tell each other; other processes look into the database. */
export interface DeliverySignals {
  /** Pending deliveries were written that no slot leads to. */
  waiting(): void;
  /** Returns a function that removes the listener. */
  onWaiting(listener: () => void): () => void;
  /** How a test ended is written. */
  ended(deliveryId: string): void;
  /** Resolves when it ends in this process, or after this time. */
  untilEnded(deliveryId: string, atMostMs: number): Promise<void>;
}

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
