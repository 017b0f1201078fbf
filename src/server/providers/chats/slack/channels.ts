import { type ChannelList, type ChatChannel, ChatProviderError, isUnavailable } from '../port.ts';
import type { SlackCall, SlackChannel } from './client.ts';

/** Below Slack's own maximum of 999: 10,000 channels in the twenty calls a minute allows. */
const pageSize = 500;
const maxPages = 200;
const timeLimitMs = 30_000;
const publicOnly = 'public_channel';

/**
 * All pages. Slack filters a page after cutting it, so only the cursor says that there is no more.
 * A limit or a failure after the first page keeps what was read; before it, it is thrown.
 */
export async function listChannels(call: SlackCall, token: string): Promise<ChannelList> {
  const channels = new Map<string, ChatChannel>();
  const seen = new Set<string>();
  const deadline = performance.now() + timeLimitMs;
  let types = 'public_channel,private_channel';
  let cursor = '';
  let complete = false;
  for (let page = 0; page < maxPages && performance.now() < deadline; page += 1) {
    const parameters = {
      ...{ types, exclude_archived: 'true', limit: String(pageSize) },
      ...(cursor === '' ? {} : { cursor }),
    };
    const answer = await call(token, 'conversations.list', parameters).catch(refusalOf);
    if (answer instanceof ChatProviderError) {
      // The person who installed the bot may have declined to show private channels.
      const lacksPrivate = answer.code === 'missing_scope' && types !== publicOnly;
      if (cursor !== '' && isUnavailable(answer)) break;
      if (page > 0 || !lacksPrivate) throw answer;
      types = publicOnly;
      continue;
    }
    for (const found of answer.channels ?? []) {
      const channel = channelOf(found);
      if (channel) channels.set(channel.id, channel);
    }
    cursor = answer.response_metadata?.next_cursor ?? '';
    complete = cursor === '';
    if (complete || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return { channels: [...channels.values()], complete };
}

/** Null when the bot cannot see it or it is archived: nothing can be sent there. */
export async function findChannel(
  call: SlackCall,
  token: string,
  id: string,
): Promise<ChatChannel | null> {
  const answer = await call(token, 'conversations.info', { channel: id }).catch(refusalOf);
  if (!(answer instanceof ChatProviderError)) {
    const channel = answer.channel ? channelOf(answer.channel) : null;
    return channel?.id === id ? channel : null;
  }
  if (answer.code === 'channel_not_found') return null;
  throw answer;
}

/** An answer of Slack's as a value; what else went wrong is thrown on. */
function refusalOf(error: unknown): ChatProviderError {
  if (error instanceof ChatProviderError) return error;
  throw error;
}

function channelOf({ id, name, ...channel }: SlackChannel): ChatChannel | null {
  if (!id || !name || channel.is_archived) return null;
  const isExternal = channel.is_ext_shared === true;
  return { id, name, isPrivate: channel.is_private === true, isExternal };
}
