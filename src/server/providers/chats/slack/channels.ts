import type { ConversationsListResponse, WebClient } from '@slack/web-api';
import { type ChannelList, type ChatChannel, ChatProviderError, isUnavailable } from '../port.ts';
import { chatErrorOf } from './errors.ts';

/** Below Slack's own maximum of 999: 10,000 channels in the twenty calls a minute allows. */
const pageSize = 500;
const maxPages = 200;
const timeLimitMs = 30_000;
const publicOnly = 'public_channel';

type SlackChannel = NonNullable<ConversationsListResponse['channels']>[number];

/**
 * All pages. Slack filters a page after cutting it, so only the cursor says that there is no more.
 * A limit or a failure after the first page keeps what was read; before it, it is thrown.
 */
export async function listChannels(client: WebClient): Promise<ChannelList> {
  const channels = new Map<string, ChatChannel>();
  const seen = new Set<string>();
  const deadline = performance.now() + timeLimitMs;
  let types = 'public_channel,private_channel';
  let cursor = '';
  for (let page = 0; page < maxPages && performance.now() < deadline; page += 1) {
    const answer = await readPage(client, types, cursor).catch(chatErrorOf);
    if (answer instanceof Error) {
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
export async function findChannel(client: WebClient, id: string): Promise<ChatChannel | null> {
  const answer = await client.conversations.info({ channel: id }).catch(chatErrorOf);
  if (answer instanceof Error) {
    if (answer instanceof ChatProviderError && answer.code === 'channel_not_found') return null;
    throw answer;
  }
  const found = new Map<string, ChatChannel>();
  if (answer.channel) keep(found, answer.channel);
  return found.get(id) ?? null;
}

function readPage(
  client: WebClient,
  types: string,
  cursor: string,
): Promise<ConversationsListResponse> {
  return client.conversations.list({
    types,
    exclude_archived: true,
    limit: pageSize,
    ...(cursor === '' ? {} : { cursor }),
  });
}

/** The person who installed the bot may have declined this one. */
function lacksPrivate(error: Error): boolean {
  return error instanceof ChatProviderError && error.code === 'missing_scope';
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
