import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ChatDeps, ChatProvider } from '../../../../src/server/providers/chats/port.ts';
import { configuredTelegram } from '../../../../src/server/providers/chats/telegram/definition.ts';
import {
  startTelegramStandin,
  type TelegramStandin,
} from '../../../../standins/telegram/server.ts';
import { manualClock } from '../../../support/clock.ts';
import { chatDepsFor } from '../chat-deps.ts';

/** The adapter alone, over HTTP to a Bot API that starts anew with each test. */
const clock = manualClock();
export let standin: TelegramStandin;
export let chat: ChatProvider;
export const ana = 7_100_000_001;
export const family = -4_100_000_002;
let deps: ChatDeps;

/** To be called once by a file of tests: its own Bot API. */
export function setUpAdapter(): void {
  beforeAll(async () => {
    standin = await startTelegramStandin({ clock });
    deps = chatDepsFor(clock);
  });
  afterAll(async () => {
    await deps.httpClient.close();
    await standin.close();
  });
  beforeEach(() => {
    chat = openChat();
    standin.control.clearFaults();
    standin.control.clearMessages();
    standin.control.clearRequests();
    standin.control.setRichKnown(true);
    for (const id of [ana, family]) standin.control.act(id, 'back');
  });
}

export function openChat(given: { token?: string; publicUrl?: string } = {}): ChatProvider {
  const { url, token } = standin;
  const publicUrl = 'https://tirelire.exemple.fr';
  const configuration = { apiUrl: url, linkUrl: url, token, publicUrl, ...given };
  return configuredTelegram(configuration).open(deps);
}

const message = { text: 'Bonjour', clientMessageId: '0b0e7c2a-3f0a-4c38-9a55-0d8a1d6f2b11' };

export const post = (id: number, more = {}, from = chat) =>
  from.post(String(id), { channelId: String(id), ...message, ...more });
