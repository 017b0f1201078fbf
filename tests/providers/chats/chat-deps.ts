import { pino } from 'pino';
import { createGuard } from '../../../src/server/platform/http-client/guarded-client.ts';
import { createHttpClient } from '../../../src/server/platform/http-client/http-client.ts';
import type { ChatDeps } from '../../../src/server/providers/chats/port.ts';
import type { ManualClock } from '../../support/clock.ts';

/** What a chat is opened with, for a test of the chat alone. */
export function chatDepsFor(clock: ManualClock): ChatDeps {
  const log = pino({ level: 'silent' });
  const { open: openGuardedClient } = createGuard({ log });
  return { httpClient: createHttpClient({ log }), openGuardedClient, clock, log };
}
