import { pino } from 'pino';
import { createGuard } from '../../../src/server/platform/http-client/guarded-client.ts';
import { createHttpClient } from '../../../src/server/platform/http-client/http-client.ts';
import type { ChatOutside, ChatProvider } from '../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../src/server/providers/chats/posting.ts';
import type { MessageBlock } from '../../../src/shared/contract/messages.ts';
import type { Room } from '../../../standins/service/room.ts';
import type { RoomsStandin } from '../../../standins/service/rooms.ts';

/** One chat and its stand-in, without the rest of the program. */
export interface WebhookFixture {
  chat: ChatProvider;
  standin: RoomsStandin;
  /** Of the stand-in's first room. */
  room: GivenRoom;
  post(text: string, blocks?: MessageBlock[], id?: string): Promise<PostResult>;
  /** What arrived in the room. */
  bodies(): Record<string, unknown>[];
  /** As if nothing had happened. */
  reset(): void;
  close(): Promise<void>;
}

type GivenRoom = Pick<Room, 'id' | 'name' | 'key'>;

export async function openWebhookFixture(
  standin: RoomsStandin,
  rooms: GivenRoom[],
  given: {
    open(outside: ChatOutside): ChatProvider;
    addressOf(url: string, room: GivenRoom): string;
  },
): Promise<WebhookFixture> {
  const log = pino({ level: 'silent' });
  const httpClient = createHttpClient({ log });
  const guard = createGuard({ log, standinOrigins: [standin.url] });
  const clock = { now: () => new Date() };
  const chat = given.open({ httpClient, openGuardedClient: guard.open, clock, log });
  const [room] = rooms;
  const linking = chat.linkings.find(({ way }) => way === 'address');
  if (!room || linking?.way !== 'address') throw new Error('nothing to link');
  const address = given.addressOf(standin.url, room);
  const { secret } = await linking.link({ address, label: room.name });
  return {
    ...{ chat, standin, room },
    post(text, blocks, clientMessageId = anId) {
      const message = { channelId: 'webhook', text, clientMessageId };
      return chat.post(secret, blocks ? { ...message, blocks } : message);
    },
    bodies: () => standin.control.messages(room.id).map(({ body }) => body),
    reset() {
      standin.control.setState(room.id, 'open');
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
