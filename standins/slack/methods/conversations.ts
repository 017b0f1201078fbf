import { hasScope } from '../installations.ts';
import { flag, text } from '../request.ts';
import type { Result, Standin, TeamContext } from '../standin.ts';
import type { Channel, Team } from '../state.ts';

/** Pages are cut first and filtered after, so a page may be short or empty before the end. */
export function conversationsList(context: TeamContext): Result {
  const { team, scope, standin } = context;
  const { args } = context.call;
  const types = readTypes(args, scope);
  if ('error' in types) return { ok: false, ...types };
  const page = cutPage([...team.channels.values()], context);
  if ('error' in page) return { ok: false, error: page.error };
  const channels = page.items
    .filter(types.shown)
    .filter((channel) => !flag(args, 'exclude_archived') || !channel.isArchived)
    .map((channel) => presentChannel(standin, team, channel));
  return { ok: true, channels, ...page.next };
}

export function conversationsInfo({ standin, team, call }: TeamContext): Result {
  const channel = visibleChannel(team, text(call.args, 'channel'));
  if (!channel) return { ok: false, error: 'channel_not_found' };
  return { ok: true, channel: presentChannel(standin, team, channel) };
}

/** A private channel the bot is not in does not exist for it. */
export function visibleChannel(team: Team, id: string): Channel | null {
  const channel = team.channels.get(id);
  return channel && (!channel.isPrivate || channel.isMember) ? channel : null;
}

function readTypes(
  args: Record<string, unknown>,
  scope: string,
): { shown(channel: Channel): boolean } | { error: string; needed?: string; provided?: string } {
  const types = (text(args, 'types') || 'public_channel').split(',').map((type) => type.trim());
  const known = ['public_channel', 'private_channel', 'mpim', 'im'];
  if (!types.every((type) => known.includes(type))) return { error: 'invalid_types' };
  for (const [type, needed] of [
    ['public_channel', 'channels:read'],
    ['private_channel', 'groups:read'],
    ['mpim', 'mpim:read'],
    ['im', 'im:read'],
  ] as const) {
    if (types.includes(type) && !hasScope(scope, needed)) {
      return { error: 'missing_scope', needed, provided: scope };
    }
  }
  return {
    shown: (channel) =>
      channel.isPrivate
        ? types.includes('private_channel') && channel.isMember
        : types.includes('public_channel'),
  };
}

/**
 * The conversation object, with the fields a public or private channel carries. Newer fields come
 * beside them, and some answers leave out what is false.
 */
function presentChannel({ variations }: Standin, team: Team, channel: Channel) {
  const row = {
    id: channel.id,
    name: channel.name,
    is_channel: !channel.isPrivate,
    is_group: channel.isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: channel.isPrivate,
    created: channel.created,
    creator: 'U0FONDATEUR',
    is_archived: channel.isArchived,
    is_general: channel.isGeneral,
    unlinked: 0,
    name_normalized: channel.name,
    is_shared: channel.isExternal,
    is_ext_shared: channel.isExternal,
    is_org_shared: false,
    pending_shared: [],
    is_pending_ext_shared: false,
    is_member: channel.isMember,
    updated: channel.created * 1000,
    context_team_id: team.id,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    num_members: channel.members,
  };
  const { id, name } = row;
  const trueFields = Object.entries(row).filter(([, value]) => value !== false);
  return variations.pick<Record<string, unknown>>('fields of a channel', [
    row,
    { ...row, properties: { posting_restricted_to: null } },
    { id, name, ...Object.fromEntries(trueFields) },
  ]);
}

/** One page of a list. The cursor is opaque to callers: base64 of the next position. */
function cutPage(
  items: Channel[],
  { standin, call: { args } }: TeamContext,
): Page | { error: 'invalid_limit' | 'invalid_cursor' } {
  const asked = text(args, 'limit');
  const limit = asked === '' || asked === '0' ? 100 : Number(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit >= 1000) return { error: 'invalid_limit' };
  const start = readCursor(text(args, 'cursor'));
  if (start === null) return { error: 'invalid_cursor' };
  const end = start + Math.min(limit, standin.maxPage);
  const last = standin.variations.pick('end of a list', [metadata(''), {}]);
  return {
    items: items.slice(start, end),
    next: end < items.length ? metadata(cursorOf(end)) : last,
  };
}

interface Page {
  items: Channel[];
  /** Where the answer tells of the next page; at the end it is empty or missing. */
  next: { response_metadata?: { next_cursor: string } };
}

function metadata(cursor: string): Page['next'] {
  return { response_metadata: { next_cursor: cursor } };
}

function cursorOf(position: number): string {
  return Buffer.from(`channel:${position}`).toString('base64');
}

function readCursor(cursor: string): number | null {
  if (cursor === '') return 0;
  const [name, position] = Buffer.from(cursor, 'base64').toString().split(':');
  return name === 'channel' && /^\d+$/.test(position ?? '') ? Number(position) : null;
}
