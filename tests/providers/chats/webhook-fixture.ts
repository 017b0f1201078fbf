import { pino } from 'pino';
import { createGuard } from '../../../src/server/platform/http-client/guarded-client.ts';
import { createHttpClient } from '../../../src/server/platform/http-client/http-client.ts';
import type { ChatDeps, ChatProvider } from '../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../src/server/providers/chats/posting.ts';
import type { MessageBlock } from '../../../src/shared/contract/messages.ts';
import type { Channel } from '../../../standins/service/channel.ts';
import type { WebhookChatStandin } from '../../../standins/service/webhook-chat.ts';

/** One chat and its stand-in, without the rest of the program. */
export interface WebhookFixture {
  chat: ChatProvider;
  standin: WebhookChatStandin;
  /** Of the stand-in's first channel. */
  channel: GivenChannel;
  post(text: string, blocks?: MessageBlock[], id?: string): Promise<PostResult>;
  /** What arrived in the channel. */
  bodies(): Record<string, unknown>[];
  /** As if nothing had happened. */
  reset(): void;
  close(): Promise<void>;
}

type GivenChannel = Pick<Channel, 'id' | 'name' | 'key'>;

export async function openWebhookFixture(
  standin: WebhookChatStandin,
  channels: GivenChannel[],
  given: {
    open(deps: ChatDeps): ChatProvider;
    addressOf(url: string, channel: GivenChannel): string;
  },
): Promise<WebhookFixture> {
  const log = pino({ level: 'silent' });
  const httpClient = createHttpClient({ log });
  const guard = createGuard({ log, standinOrigins: [standin.url] });
  const clock = { now: () => new Date() };
  const chat = given.open({ httpClient, openGuardedClient: guard.open, clock, log });
  const [channel] = channels;
  const linking = chat.linkings.find(({ way }) => way === 'address');
  if (!channel || linking?.way !== 'address') throw new Error('nothing to link');
  const address = given.addressOf(standin.url, channel);
  const { secret } = await linking.link({ address, label: channel.name });
  return {
    ...{ chat, standin, channel },
    post(text, blocks, clientMessageId = anId) {
      const message = { channelId: 'webhook', text, clientMessageId };
      return chat.post(secret, blocks ? { ...message, blocks } : message);
    },
    bodies: () => standin.control.messages(channel.id).map(({ body }) => body),
    reset() {
      standin.control.setState(channel.id, 'open');
      standin.control.clearFaults();
      standin.control.clearMessages();
      standin.control.clearRequests();
    },
    async close() {
      await Promise.all([httpClient.close(), guard.close()]);
      await standin.close();
    },
  };
}

const anId = 'b1f6d8f0-0000-4000-8000-000000000001';
