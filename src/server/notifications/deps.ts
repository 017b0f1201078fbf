import type { BankingDeps } from '../banking/deps.ts';
import type { ChatKind, ChatProvider } from '../providers/chats/port.ts';
import type { FaultListener } from './deliveries/faults.ts';
import type { Heartbeat } from './deliveries/heartbeat.ts';

export interface NotificationsDeps extends BankingDeps {
  /** In the order of the registry. */
  chats: ReadonlyMap<ChatKind, ChatProvider>;
  heartbeat: Heartbeat;
  faults: FaultListener;
}
