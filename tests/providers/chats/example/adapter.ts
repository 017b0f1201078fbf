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
  type LinkedTeam,
} from '../../../../src/server/providers/chats/port.ts';
import type { PostResult } from '../../../../src/server/providers/chats/posting.ts';
import { type Notation, renderSpans } from '../../../../src/server/providers/chats/rendering.ts';
import { defaultCapacity } from '../../../../src/shared/message/capacity.ts';
import { parseSpans } from '../../../../src/shared/message/spans.ts';

export interface ExampleVariant {
  kind: string;
  name: string;
  channels: 'one' | 'listed';
}

/** What a new chat costs: this adapter, its definition, a line in the registry, and its stand-in. */
export function createExampleChat(
  { kind, name, channels }: ExampleVariant,
  client: HttpClient,
): ChatProvider {
  const call = async (method: 'GET' | 'DELETE', url: string) => {
    const answer = await client.request({ method, url, timeoutMs: 2000 });
    return { status: answer.status, ...(JSON.parse(answer.body) as Partial<TeamAnswer>) };
  };
  const link = async (url: string): Promise<LinkedTeam> => {
    const { status, name = null, channelNames = [] } = await call('GET', url);
    if (status !== 200) throw new ChatProviderError(kind, 'address', 'no_team');
    const channel = channels === 'one' ? channelOf(channelNames[0] ?? '') : null;
    return { secret: url, teamId: url, teamName: name, botUserId: null, channel, scope: '' };
  };
  const listChannels = async (url: string) =>
    (await call('GET', url)).channelNames?.map(channelOf) ?? [];
  const error = (code: string, statusCode: number) => ({
    ...{ code: `Example_${code}`, statusCode, message: `Example\u202f: ${code}.` },
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
      destination: (name: string) => `l’équipe ${name}`,
      reconnect: 'Reliez l’équipe.',
    },
    codes: { removed: 'team_gone', limited: 'rate_limited' },
    reasons: {
      team_gone: { sentence: 'L’équipe n’existe plus.', action: 'reconnect' },
      rate_limited: {
        sentence: 'L’équipe refuse d’autres messages pour le moment.',
        action: 'resume',
      },
    },
    repeat: 'never',
    pace: { channelGapMs: 10, perTeam: 1, perSecond: 50 },
    capacity: { ...defaultCapacity, rows: 3 },
    drawing: 'rows',
    check: async () => ({ end: 'accepted' }),
    revoke: async (secret) => void (await call('DELETE', secret)),
    post(secret, { channelId, text, clientMessageId }) {
      const written = renderSpans(parseSpans(text), notation);
      const message = { channel: channelId, text: written, id: clientMessageId };
      return postJson(client, secret, message, classify);
    },
  } satisfies Omit<ChatProvider, 'channels'>;
  if (channels === 'one') return { ...common, channels };
  return {
    ...{ ...common, channels, channelsPath: `/messengers/${kind}/channels` },
    listChannels: async (secret) => ({ channels: await listChannels(secret), complete: true }),
    findChannel: async (secret, id) =>
      (await listChannels(secret)).find((channel) => channel.id === id) ?? null,
  };
}

interface TeamAnswer {
  name: string;
  channelNames: string[];
}

/** Each answer to a class of its own; `postJson` has those of the network. */
function classify(answer: IncomingResponse): PostResult {
  const body = readObject(answer.body);
  const movedTo = printable(body?.movedTo);
  if (answer.status === 200) {
    return { end: 'posted', receipt: printable(body?.messageId) || null, certainty: 'accepted' };
  }
  if (answer.status === 410 && movedTo) return { end: 'moved', channelId: movedTo };
  if (answer.status === 404) {
    return { end: 'permanent', kind: 'installation', code: 'team_gone' };
  }
  if (answer.status === 429)
    return limited('team', readSecondsHeader(answer, 'retry-after'), 'rate_limited');
  return resultOfStatus(answer);
}

const fields = [
  {
    name: 'address' as const,
    label: 'Adresse',
    secret: true,
    pattern: 'http://\\S+',
    help: 'Dans les réglages de l’équipe.',
  },
];

const channelOf = (name: string) => ({ id: name, name, isPrivate: false, isExternal: false });

const plain = (text: string) => text;

/**
 * Its own notation: bold stands in two asterisks, everything else is plain. A chat with mentions also
 * escapes them in `text`, `code` and `block`.
 */
const notation: Notation = {
  ...{ text: plain, code: plain, block: plain, em: plain, s: plain, quote: plain, link: plain },
  strong: (inner) => `**${inner}**`,
};
