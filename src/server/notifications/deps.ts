import type { Transaction } from 'kysely';
import type { BankingDeps } from '../banking/deps.ts';
import type { Schema } from '../platform/database/schema.ts';
import type { ChatKind, ChatProvider } from '../providers/chats/port.ts';
import type { FigureJournal } from './alerts/journal.ts';
import type { Heartbeat } from './deliveries/heartbeat.ts';
import type { DeliverySignals } from './deliveries/signals.ts';

export interface NotificationsDeps extends BankingDeps {
  /** In the order of the registry. */
  chats: ReadonlyMap<ChatKind, ChatProvider>;
  heartbeat: Heartbeat;
  signals: DeliverySignals;
  figures: FigureJournal;
  faults: FaultListener;
}

/** Is told of faults by settling; a module above this one decides who hears of them. */
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
