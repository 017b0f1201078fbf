import { flag, text } from '../request.ts';
import { holds } from '../scopes.ts';
import type { Channel, Team } from '../state.ts';
import { presentChannel } from './channel.ts';
import { cutPage } from './paging.ts';
import type { Answer, TeamContext } from './table.ts';

/** Pages are cut first and filtered after, so a page may be short or empty before the end. */
export function conversationsList(context: TeamContext): Answer {
  const { args } = context.call;
  const types = readTypes(args, context.scope);
  if ('error' in types) return { ok: false, ...types };
  const page = cutPage([...context.team.channels.values()], args, 'channel');
  if ('error' in page) return { ok: false, error: page.error };
  const channels = page.items
    .filter((channel) => types.shown(channel))
    .filter((channel) => !flag(args, 'exclude_archived') || !channel.isArchived)
    .map((channel) => presentChannel(context.team, channel));
  return { ok: true, channels, response_metadata: { next_cursor: page.next } };
}

/** Where the bot is a member. */
export function usersConversations(context: TeamContext): Answer {
  const { args } = context.call;
  const types = readTypes(args, context.scope);
  if ('error' in types) return { ok: false, ...types };
  const page = cutPage([...context.team.channels.values()], args, 'channel');
  if ('error' in page) return { ok: false, error: page.error };
  const channels = page.items
    .filter((channel) => channel.isMember && types.shown(channel))
    .filter((channel) => !flag(args, 'exclude_archived') || !channel.isArchived)
    .map((channel) => {
      const {
        is_member: _member,
        num_members: _count,
        ...rest
      } = presentChannel(context.team, channel);
      return rest;
    });
  return { ok: true, channels, response_metadata: { next_cursor: page.next } };
}

export function conversationsInfo({ team, call }: TeamContext): Answer {
  const channel = visibleChannel(team, text(call.args, 'channel'));
  if (!channel) return { ok: false, error: 'channel_not_found' };
  return { ok: true, channel: presentChannel(team, channel) };
}

export function conversationsJoin({ team, call, changed }: TeamContext): Answer {
  const channel = visibleChannel(team, text(call.args, 'channel'));
  if (!channel) return { ok: false, error: 'channel_not_found' };
  if (channel.isPrivate) return { ok: false, error: 'method_not_supported_for_channel_type' };
  if (channel.isArchived) return { ok: false, error: 'is_archived' };
  const already = channel.isMember;
  channel.isMember = true;
  changed();
  const answer: Answer = { ok: true, channel: presentChannel(team, channel) };
  if (!already) return answer;
  const warnings = ['already_in_channel'];
  return { ...answer, warning: 'already_in_channel', response_metadata: { warnings } };
}

export function conversationsHistory({ team, call }: TeamContext): Answer {
  const channel = visibleChannel(team, text(call.args, 'channel'));
  if (!channel) return { ok: false, error: 'channel_not_found' };
  if (!channel.isMember) return { ok: false, error: 'not_in_channel' };
  const oldest = text(call.args, 'oldest') || '0';
  const stored = team.messages.get(channel.id) ?? [];
  const recent = stored.filter((message) => message.ts > oldest).reverse();
  const page = cutPage(recent, call.args, 'message');
  if ('error' in page) return { ok: false, error: page.error };
  const messages = page.items.map((message) => ({
    type: 'message',
    ts: message.ts,
    text: message.text,
    user: team.botUserId,
    bot_id: team.botId,
    team: team.id,
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(message.metadata && flag(call.args, 'include_all_metadata')
      ? { metadata: message.metadata }
      : {}),
  }));
  const more = page.next !== '';
  return { ok: true, messages, has_more: more, response_metadata: { next_cursor: page.next } };
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
    if (types.includes(type) && !holds(scope, needed)) {
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
