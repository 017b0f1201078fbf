import {
  type Call,
  type Fields,
  holderOf,
  mayDo,
  SlackRefusal,
  type SlackState,
} from './slack-state.ts';

/** The first page and one in the middle are wholly filtered away; others are short; ids of private ones start with C too. */
export const peerChannels: Fields[] = [
  { id: 'C0ARCHIVE1', name: 'vieux-projet', is_channel: true, is_archived: true, is_member: false },
  { id: 'C0SECRET01', name: 'direction', is_private: true, is_member: false, is_archived: false },
  { id: 'C0ARCHIVE2', name: 'noel-2019', is_channel: true, is_archived: true },
  ...['zoé-et-les-autres', 'général', 'compta'].map((name, index) => ({
    id: `C0PUBLIC0${index}`,
    name,
    name_normalized: name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_private: false,
    is_archived: false,
    is_general: name === 'général',
    is_shared: false,
    is_ext_shared: false,
    is_member: name === 'compta',
    created: 1_763_000_000,
    updated: 1_763_000_000_123,
    topic: { value: 'Le matin, les soldes', creator: 'U07PERSON', last_set: 0 },
    previous_names: [],
    num_members: 3,
    properties: { posting_restricted_to: null },
  })),
  ...['été-2020', 'été-2021', 'été-2022'].map((name, index) => ({
    id: `C0SUMMER0${index}`,
    name,
    is_channel: true,
    is_archived: true,
  })),
  { id: 'D0DIRECT01', name: '', is_im: true, is_archived: false, user: 'U07PERSON' },
  { id: 'C0PRIVATE1', name: 'banque', is_private: true, is_member: true, is_archived: false },
  { id: 'G0PRIVATE2', name: 'équipe', is_group: true, is_private: true, is_member: true },
  { id: 'C0ARCHIVE3', name: 'ancien', is_archived: true },
  {
    id: 'C0EXTERN01',
    name: 'clients',
    is_ext_shared: true,
    is_shared: true,
    context_team_id: 'T1',
  },
  { id: 'C0BARE0001', name: 'etc' },
];

const pageSize = 3;

/** Cut into pages before it is filtered, as Slack does: pages come out short or empty. */
export function listChannels(state: SlackState, call: Call): Fields {
  const types = typesOf(call);
  const holder = holderOf(state, call, null);
  for (const [type, scope] of scopes) {
    if (types.includes(type) && !mayDo(holder, scope)) holderOf(state, call, scope);
  }
  const limit = Number(call.fields.limit ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit >= 1000) {
    throw new SlackRefusal('invalid_limit');
  }
  const start = positionOf(call.fields.cursor);
  const end = start + Math.min(limit, pageSize);
  const withoutArchived = ['true', '1', true].includes(call.fields.exclude_archived as string);
  return {
    channels: state.channels
      .slice(start, end)
      .filter((channel) => types.includes(typeOf(channel)))
      .filter((channel) => !channel.is_private || channel.is_member)
      .filter((channel) => !(withoutArchived && channel.is_archived)),
    ...(end < state.channels.length
      ? { response_metadata: { next_cursor: Buffer.from(`next:C+${end}`).toString('base64') } }
      : lastOf(state)),
  };
}

const scopes = [
  ['public_channel', 'channels:read'],
  ['private_channel', 'groups:read'],
  ['im', 'im:read'],
  ['mpim', 'mpim:read'],
] as const;

function typesOf({ fields }: Call): string[] {
  const types = String(fields.types ?? 'public_channel').split(',');
  const known: string[] = scopes.map(([type]) => type);
  if (!types.every((type) => known.includes(type.trim()))) throw new SlackRefusal('invalid_types');
  return types.map((type) => type.trim());
}

function typeOf(channel: Fields): string {
  if (channel.is_im) return 'im';
  return channel.is_private ? 'private_channel' : 'public_channel';
}

function positionOf(cursor: unknown): number {
  if (cursor === undefined || cursor === '') return 0;
  const text = Buffer.from(String(cursor), 'base64').toString('utf8');
  const position = /^next:C\+(\d+)$/.exec(text)?.[1];
  if (!position) throw new SlackRefusal('invalid_cursor');
  return Number(position);
}

function lastOf(state: SlackState): Fields {
  return state.answers % 2 ? { response_metadata: { next_cursor: '' } } : {};
}

export function showChannel(state: SlackState, call: Call): Fields {
  return { channel: visibleChannel(state, call, call.fields.channel, 'channels:read') };
}

/** A private channel without the bot is not found, which is how Slack hides it. */
export function visibleChannel(state: SlackState, call: Call, id: unknown, scope: string): Fields {
  holderOf(state, call, scope);
  const channel = state.channels.find((one) => one.id === id);
  if (!channel || (channel.is_private && !channel.is_member)) {
    throw new SlackRefusal('channel_not_found');
  }
  return channel;
}
