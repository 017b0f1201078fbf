import type { BankingDeps } from '../banking/deps.ts';
import type { ChatProvider } from '../providers/chats/port.ts';
import type { ChatKind } from '../providers/chats/registry.ts';
import type { FaultListener } from './deliveries/faults.ts';
import type { Heartbeat } from './deliveries/heartbeat.ts';

export interface NotificationsDeps extends BankingDeps {
  chats: ReadonlyMap<ChatKind, ChatProvider>;
  chat: ChatProvider;
  heartbeat: Heartbeat;
  faults: FaultListener;
}
