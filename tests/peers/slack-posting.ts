import { visibleChannel } from './slack-channels.ts';
import {
  type Call,
  type Fields,
  holderOf,
  mayDo,
  SlackRefusal,
  type SlackState,
} from './slack-state.ts';

/** `chat.postMessage`, remembered with every field it came with. */
export function post(state: SlackState, call: Call): Fields {
  const { fields, token = '' } = call;
  const holder = holderOf(state, call, 'chat:write');
  if (!fields.channel) throw new SlackRefusal('channel_not_found');
  const channel = visibleChannel(state, call, fields.channel, 'chat:write');
  if (channel.is_archived) throw new SlackRefusal('is_archived');
  if (!channel.is_private && !channel.is_member && !mayDo(holder, 'chat:write.public')) {
    throw new SlackRefusal('not_in_channel');
  }
  const text = String(fields.text ?? '');
  if (!text && !fields.blocks && !fields.attachments) throw new SlackRefusal('no_text');
  const ts = `${Math.trunc(state.now() / 1000)}.${String(state.posted.length).padStart(6, '0')}`;
  state.posted.push({ channel: String(channel.id), text, ts, fields, token });
  return {
    channel: channel.id,
    ts,
    message: {
      type: 'message',
      ts,
      text,
      user: 'U07ROBOT',
      bot_id: 'B07ROBOT0',
      app_id: state.app.id,
      team: holder.team.id,
      bot_profile: { id: 'B07ROBOT0', deleted: false, name: 'robot', icons: { image_36: 'x' } },
      assistant_app_thread: { novelty: true },
    },
    response_metadata: { warnings: ['superfluous_charset'] },
    warning: 'superfluous_charset',
  };
}
