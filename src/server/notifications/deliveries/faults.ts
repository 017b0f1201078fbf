import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** A delivery failed by our own fault: only the operator of this installation can mend the cause. */
export interface DeliveryFault {
  /** The chat's error code. */
  code: string;
  deliveryId: string;
}

/** Who is told is decided above this module. */
export interface FaultListener {
  /** Called in the transaction that writes how these deliveries ended. */
  record(transaction: Transaction<Schema>, faults: DeliveryFault[], now: Date): Promise<void>;
  /** Called once that transaction stands. */
  committed(): void;
}
