import type { Transaction } from 'kysely';
import type { BankingDeps, FigureListener } from '../banking/deps.ts';
import type { Schema } from '../platform/database/schema.ts';
import type { ChatKind, ChatProvider } from '../providers/chats/port.ts';

export interface NotificationsDeps extends BankingDeps {
  /** In the order of the registry. */
  chats: ReadonlyMap<ChatKind, ChatProvider>;
  heartbeat: Heartbeat;
  signals: DeliverySignals;
  figureJournal: FigureJournal;
  faults: FaultListener;
}

/** Tells a watcher outside that planning works: silence at an hour with sendings is the alarm. */
export interface Heartbeat {
  /** Returns at once, whatever becomes of the call. Those that come during a call are one more. */
  beat(): void;
}

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

/**
 * Keeps what was read until the alerts were evaluated with it, and says in this process that there is
 * some.
 */
export interface FigureJournal extends Pick<FigureListener, 'record' | 'committed'> {
  /** Returns a function that removes the listener. */
  onFigures(listener: () => void): () => void;
}

/** Is told of the faults among recorded outcomes; a module above this one decides who hears of them. */
export interface FaultListener {
  /** Called in the transaction that writes how these deliveries ended. */
  record(transaction: Transaction<Schema>, faults: DeliveryFault[], now: Date): Promise<void>;
  /** Called once that transaction is committed. */
  committed(): void;
}

/** A delivery that failed, or was drawn badly, for a reason that only the operator can mend. */
export interface DeliveryFault {
  /** The chat's error code, or one of ours. */
  code: string;
  deliveryId: string;
}
