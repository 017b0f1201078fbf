import type { Channel } from '../service/channel.ts';
import { header, type Request, readJson } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import type { MessageStore } from '../service/webhook-chat.ts';
import { failure } from './failure.ts';

/** What the demonstration's only bot signs in with. */
export const botToken = 'jetondemonstration00000001';

const botId = 'botdemonstration0000000001';

/** A person's token: people have them too. */
export const personToken = 'jetondepersonne00000000001';

/** The channel that a call names, in its path or in its body. */
export function channelOfBot(channels: readonly Channel[], request: Request): Channel | undefined {
  const named = /^\/api\/v4\/channels\/(\w+)$/.exec(request.path)?.[1];
  const read = readJson(request);
  const id = named ?? ('value' in read ? read.value.channel_id : undefined);
  return channels.find((channel) => channelId(channel) === id);
}

/** As long as ids are there. */
export function channelId({ id }: Pick<Channel, 'id'>): string {
  return `canal${id}`.padEnd(26, '0').slice(0, 26);
}

/** The messages that were posted with an id of their author's, by that id. */
export type KnownPosts = Map<string, { id: string; at: number }>;

/** For so long the server knows them. */
const rememberMs = 30_000;

/** The calls of a bot: api.mattermost.com */
export function answerBot(
  request: Request,
  channel: Channel | undefined,
  store: MessageStore,
  known: KnownPosts,
): Answer {
  const token = header(request, 'authorization').replace(/^Bearer /, '');
  if (token !== botToken && token !== personToken) {
    return failure(401, 'api.context.session_expired.app_error');
  }
  switch (`${request.method} ${request.path.replace(/\/\w{26}$/, '/id')}`) {
    case 'GET /api/v4/users/me':
      return json(200, {
        ...{ id: botId, username: 'tirelire', delete_at: 0 },
        ...(token === botToken && { is_bot: true }),
      });
    case 'GET /api/v4/users/me/teams':
      return json(200, [{ id: 'equipe', display_name: 'Association des Lilas', delete_at: 0 }]);
    case 'GET /api/v4/users/me/channels':
      return json(200, [
        ...store.channels.filter(({ state }) => state !== 'left').map(presentChannel),
        { id: 'direct', type: 'D', display_name: '', name: 'direct', delete_at: 0 },
      ]);
    case 'GET /api/v4/channels/id':
      if (!channel) return failure(404, 'app.channel.get.existing.app_error');
      if (channel.state === 'left') return failure(403, 'api.context.permissions.app_error');
      return json(200, presentChannel(channel));
    case 'POST /api/v4/posts':
      return post(request, channel, store, known);
    default:
      return failure(404, 'api.context.404.app_error');
  }
}

function presentChannel(channel: Channel) {
  return {
    ...{ id: channelId(channel), team_id: 'equipe', name: channel.id, display_name: channel.name },
    type: channel.id === 'bureau' ? 'P' : 'O',
    delete_at: channel.state === 'archived' ? 1_790_000_000_000 : 0,
  };
}

function post(
  request: Request,
  channel: Channel | undefined,
  store: MessageStore,
  known: KnownPosts,
): Answer {
  const read = readJson(request);
  if ('fault' in read) return failure(400, 'api.context.invalid_body_param.app_error');
  if (!channel) return failure(400, 'api.context.invalid_param.app_error');
  if (channel.state === 'left') return failure(403, 'api.context.permissions.app_error');
  if (channel.state === 'archived') {
    return failure(400, 'api.post.create_post.can_not_post_to_deleted.error');
  }
  const { message = '', pending_post_id: given = '' } = read.value;
  if ([...String(message)].length > 16_383) {
    return failure(400, 'model.post.is_valid.message_length.app_error');
  }
  const now = store.now().getTime();
  const before = known.get(String(given));
  const isKnown = before && now - before.at < rememberMs;
  const id = isKnown ? before.id : store.add(channel, read.value).id;
  if (given && !isKnown) known.set(String(given), { id, at: now });
  const fields = { id, create_at: now, channel_id: channelId(channel), message };
  return json(201, { ...fields, pending_post_id: isKnown ? '' : given });
}
