import type {
  HttpClient,
  IncomingResponse,
} from '../../../../src/server/platform/http-client/http-client.ts';
import {
  limited,
  postJson,
  printable,
  readObject,
  readSecondsHeader,
  resultOfStatus,
} from '../../../../src/server/providers/chats/json-posting.ts';
import {
  type ChatProvider,
  ChatProviderError,
  type Link,
} from '../../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { type Notation, print } from '../../../../src/server/providers/chats/printing.ts';
import { defaultCapacity } from '../../../../src/shared/message/capacity.ts';
import { parseSpans } from '../../../../src/shared/message/spans.ts';

export interface PigeonSort {
  kind: string;
  name: string;
  channels: 'one' | 'listed';
}

/** What a new chat costs: this adapter, its definition, a line in the registry, and its stand-in. */
export function createPigeon(
  { kind, name, channels }: PigeonSort,
  client: HttpClient,
): ChatProvider {
  const call = async (method: 'GET' | 'DELETE', url: string) => {
    const answer = await client.request({ method, url, timeoutMs: 2000 });
    return { status: answer.status, ...(JSON.parse(answer.body) as Partial<HouseAnswer>) };
  };
  const link = async (url: string): Promise<Link> => {
    const { status, name = null, rooms = [] } = await call('GET', url);
    if (status !== 200) throw new ChatProviderError(kind, 'address', 'no_house');
    const channel = channels === 'one' ? channelOf(rooms[0] ?? '') : null;
    return { secret: url, teamId: url, teamName: name, botUserId: null, channel, scope: '' };
  };
  const roomsOf = async (url: string) => (await call('GET', url)).rooms?.map(channelOf) ?? [];
  const error = (code: string, statusCode: number) => ({
    ...{ code: `Pigeon_${code}`, statusCode, message: `Pigeon\u202f: ${code}.` },
  });
  const common = {
    name,
    linkings: [
      {
        ...{ way: 'address', steps: [], fields, unseen: null },
        link: ({ address = '' }) => link(address),
      },
    ],
    errors: {
      notConnected: error('Not_Connected', 409),
      linkInvalid: error('Link_Invalid', 422),
      refused: error('Refused', 502),
      unavailable: error('Unavailable', 503),
    },
    words: {
      destination: (name: string) => `le pigeonnier ${name}`,
      reconnect: 'Reliez le pigeon.',
    },
    codes: { removed: 'house_gone', limited: 'full' },
    reasons: {
      house_gone: { sentence: 'Le pigeonnier a fermé.', action: 'reconnect' },
      full: { sentence: 'Le pigeonnier est resté plein.', action: 'resume' },
    },
    repeat: 'never',
    pace: { channelGapMs: 10, perTeam: 1, perSecond: 50 },
    capacity: { ...defaultCapacity, rows: 3 },
    drawing: 'rows',
    check: async () => ({ end: 'accepted' }),
    revoke: async (secret) => void (await call('DELETE', secret)),
    post(secret, { channelId, text, clientMessageId }) {
      const written = print(parseSpans(text), notation);
      const message = { room: channelId, text: written, id: clientMessageId };
      return postJson(client, secret, message, classify);
    },
  } satisfies Omit<ChatProvider, 'channels'>;
  if (channels === 'one') return { ...common, channels };
  return {
    ...{ ...common, channels, channelsPath: `/messengers/${kind}/channels` },
    listChannels: async (secret) => ({ channels: await roomsOf(secret), complete: true }),
    findChannel: async (secret, id) =>
      (await roomsOf(secret)).find((room) => room.id === id) ?? null,
  };
}

interface HouseAnswer {
  name: string;
  rooms: string[];
}

/** Each answer to a class of its own; `postJson` has those of the network. */
function classify(answer: IncomingResponse): PostResult {
  const body = readObject(answer.body);
  const movedTo = printable(body?.movedTo);
  if (answer.status === 200) {
    return { end: 'posted', receipt: printable(body?.nest) || null, certainty: 'accepted' };
  }
  if (answer.status === 410 && movedTo) return { end: 'moved', channelId: movedTo };
  if (answer.status === 404) {
    return { end: 'permanent', cause: 'installation', code: 'house_gone' };
  }
  if (answer.status === 429)
    return limited('team', readSecondsHeader(answer, 'retry-after'), 'full');
  return resultOfStatus(answer.status);
}

const fields = [
  {
    name: 'address' as const,
    label: 'Adresse',
    secret: true,
    pattern: 'http://\\S+',
    help: 'Au dos du pigeon.',
  },
];

const channelOf = (room: string) => ({ id: room, name: room, isPrivate: false, isExternal: false });

const plain = (text: string) => text;

/**
 * Its own notation: bold stands in two asterisks, everything else is plain. A chat with mentions also
 * escapes them in `text`, `code` and `block`.
 */
const notation: Notation = {
  ...{ text: plain, code: plain, block: plain, em: plain, s: plain, quote: plain, link: plain },
  strong: (inner) => `**${inner}**`,
};
