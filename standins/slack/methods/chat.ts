import { hasScope } from '../installations.ts';
import { text } from '../request.ts';
import type { Result, TeamContext } from '../standin.ts';
import { type Channel, type Message, nextTs } from '../state.ts';
import { visibleChannel } from './conversations.ts';
import { checkBlocks, readJson } from './validity.ts';

const keptMessages = 200;

/** `client_msg_id` is stored and given no effect: the same one twice makes two messages. */
export function postMessage(context: TeamContext): Result {
  const { state, options, variations } = context.standin;
  const content = readContent(context.call.args);
  if ('error' in content) return { ok: false, ...content };
  const channel = destination(context);
  if ('error' in channel) return { ok: false, error: channel.error };
  const message: Message = {
    ts: nextTs(state, options.clock.now()),
    text: content.text.slice(0, 40_000),
    blocks: content.blocks,
    metadata: content.metadata,
    clientMsgId: text(context.call.args, 'client_msg_id') || null,
  };
  store(context, channel, message);
  const answer = {
    ok: true,
    channel: channel.id,
    ts: message.ts,
    message: present(context, message),
  };
  const warnings = [
    ...(content.text.length > 40_000 ? ['message_truncated'] : []),
    ...(variations.pick('warning', [false, true]) ? ['superfluous_charset'] : []),
  ];
  if (warnings.length === 0) return answer;
  return { ...answer, warning: warnings.join(','), response_metadata: { warnings } };
}

interface Content {
  text: string;
  blocks: unknown[] | null;
  metadata: unknown;
}

function readContent(
  args: Record<string, unknown>,
): Content | { error: string; [detail: string]: unknown } {
  const plain = text(args, 'text');
  const markdown = text(args, 'markdown_text');
  const given = args.blocks !== undefined && args.blocks !== '';
  if (markdown !== '' && (plain !== '' || given)) return { error: 'markdown_text_conflict' };
  const blocks = given ? checkBlocks(args.blocks) : null;
  if (blocks && 'error' in blocks) return blocks;
  if (plain === '' && markdown === '' && !blocks?.blocks.length) {
    if (args.attachments === undefined) return { error: 'no_text' };
  }
  const metadata = args.metadata === undefined ? null : readJson(args.metadata);
  if (metadata === undefined) return { error: 'invalid_metadata_format' };
  return { text: plain || markdown, blocks: blocks?.blocks ?? null, metadata };
}

function destination({ team, call, scope }: TeamContext): Channel | { error: string } {
  const wanted = text(call.args, 'channel');
  const channel = visibleChannel(team, wanted) ?? byName(team.channels, wanted);
  if (!channel) return { error: 'channel_not_found' };
  if (channel.isArchived) return { error: 'is_archived' };
  if (!channel.isMember && !hasScope(scope, 'chat:write.public'))
    return { error: 'not_in_channel' };
  if (channel.isReadOnly) return { error: 'restricted_action_read_only_channel' };
  return channel;
}

function byName(channels: Map<string, Channel>, wanted: string): Channel | null {
  if (wanted === '' || /^[CG][A-Z0-9]{8,}$/.test(wanted)) return null;
  const name = wanted.replace(/^#/, '');
  for (const channel of channels.values()) {
    if (channel.name === name && (!channel.isPrivate || channel.isMember)) return channel;
  }
  return null;
}

function store(context: TeamContext, channel: Channel, message: Message): void {
  const { standin, team, call } = context;
  const { state, options } = standin;
  state.log.push([team.id, channel.id, call.receivedAt, message.clientMsgId, message.ts]);
  if (options.open) return;
  const messages = team.messages.get(channel.id) ?? [];
  messages.push(message);
  if (messages.length > keptMessages) messages.shift();
  team.messages.set(channel.id, messages);
  standin.changed();
}

function present({ standin, team }: TeamContext, message: Message) {
  return {
    user: team.botUserId,
    type: 'message',
    ts: message.ts,
    bot_id: team.botId,
    app_id: 'A0TIRELIRE',
    team: team.id,
    text: message.text,
    ...(message.blocks ? { blocks: message.blocks } : {}),
    ...(message.metadata ? { metadata: message.metadata } : {}),
    bot_profile: {
      id: team.botId,
      app_id: 'A0TIRELIRE',
      user_id: team.botUserId,
      name: 'Tirelire',
      icons: {},
      deleted: false,
      updated: 1_650_000_000,
      team_id: team.id,
    },
    ...(standin.variations.isOn && { assistant_app_thread: { novelty: true } }),
  };
}
