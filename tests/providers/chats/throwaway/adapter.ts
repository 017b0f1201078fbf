import type { HttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import {
  type ChatProvider,
  ChatProviderError,
  type Link,
} from '../../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { usualCapacity } from '../../../../src/shared/message/capacity.ts';
import { parseSpans, type Span } from '../../../../src/shared/message/spans.ts';

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
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) => {
    const given = body ? { body: JSON.stringify(body) } : {};
    const answer = await client.request({ method, url, timeoutMs: 2000, ...given });
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
    words: { place: (name: string) => `le pigeonnier ${name}`, reconnect: 'Reliez le pigeon.' },
    codes: { removed: 'house_gone', limited: 'full' },
    reasons: { house_gone: { sentence: 'Le pigeonnier a fermé.', action: 'reconnect' } },
    repeat: 'never',
    pace: { channelGapMs: 10, perTeam: 1, perSecond: 50 },
    capacity: { ...usualCapacity, rows: 3 },
    drawing: 'rows',
    check: async () => ({ end: 'accepted' }),
    withdraw: async (secret) => void (await call('DELETE', secret)),
    async post(secret, { channelId, text, clientMessageId }): Promise<PostResult> {
      const message = { room: channelId, text: print(parseSpans(text)), id: clientMessageId };
      const answer = await call('POST', secret, message).catch(() => null);
      if (!answer) return { end: 'ambiguous', code: 'network_reset' };
      if (answer.movedTo) return { end: 'moved', channelId: answer.movedTo };
      return answer.status === 200
        ? { end: 'posted', receipt: answer.nest ?? null, certainty: 'accepted' }
        : { end: 'permanent', cause: 'installation', code: 'house_gone' };
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
  movedTo: string;
  nest: string;
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

/** Its own notation: bold stands in two asterisks, everything else is plain. */
function print(spans: Span[]): string {
  return spans
    .map((span) => {
      if (span.kind === 'link') return span.address;
      if ('text' in span) return span.text;
      return span.kind === 'strong' ? `**${print(span.children)}**` : print(span.children);
    })
    .join('');
}
