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
  for (let page = 0; page < maxPages && performance.now() < deadline; page += 1) {
    const answer = await readPage(call, token, types, cursor).catch(refusalOf);
    if (answer instanceof ChatProviderError) {
      if (page === 0 && types !== publicOnly && lacksPrivate(answer)) types = publicOnly;
      else if (page === 0 || !isUnavailable(answer)) throw answer;
      else return { channels: [...channels.values()], complete: false };
      continue;
    }
    for (const channel of answer.channels ?? []) keep(channels, channel);
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (cursor === '') return { channels: [...channels.values()], complete: true };
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  return { channels: [...channels.values()], complete: false };
}

/** Null when the bot cannot see it or it is archived: nothing can be sent there. */
export async function findChannel(
  call: SlackCall,
  token: string,
  id: string,
): Promise<ChatChannel | null> {
  const answer = await call(token, 'conversations.info', { channel: id }).catch(refusalOf);
  if (answer instanceof ChatProviderError) {
    if (answer.code === 'channel_not_found') return null;
    throw answer;
  }
  const found = new Map<string, ChatChannel>();
  if (answer.channel) keep(found, answer.channel);
  return found.get(id) ?? null;
}

function readPage(call: SlackCall, token: string, types: string, cursor: string) {
  return call(token, 'conversations.list', {
    types,
    exclude_archived: 'true',
    limit: String(pageSize),
    ...(cursor === '' ? {} : { cursor }),
  });
}

/** An answer of Slack's as a value; what else went wrong is thrown on. */
function refusalOf(error: unknown): ChatProviderError {
  if (error instanceof ChatProviderError) return error;
  throw error;
}

/** The person who installed the bot may have declined this one. */
function lacksPrivate({ code }: ChatProviderError): boolean {
  return code === 'missing_scope';
}

function keep(channels: Map<string, ChatChannel>, channel: SlackChannel): void {
  if (!channel.id || !channel.name || channel.is_archived) return;
  channels.set(channel.id, {
    id: channel.id,
    name: channel.name,
    isPrivate: channel.is_private === true,
    isExternal: channel.is_ext_shared === true,
  });
}
