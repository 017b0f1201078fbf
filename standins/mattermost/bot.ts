import { header, type Request, readJson } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import type { Room } from '../service/room.ts';
import type { Memory } from '../service/rooms.ts';
import { failure } from './failure.ts';

/** What the demonstration's only bot signs in with. */
export const botToken = 'jetondemonstration00000001';

const botId = 'botdemonstration0000000001';

/** A person's token: people have them too. */
export const personToken = 'jetondepersonne00000000001';

/** The channel that a call names, in its path or in its body. */
export function roomOfBot(rooms: readonly Room[], request: Request): Room | undefined {
  const named = /^\/api\/v4\/channels\/(\w+)$/.exec(request.path)?.[1];
  const read = readJson(request);
  const id = named ?? ('value' in read ? read.value.channel_id : undefined);
  return rooms.find((room) => channelId(room) === id);
}

/** As long as ids are there. */
export function channelId({ id }: Pick<Room, 'id'>): string {
  return `canal${id}`.padEnd(26, '0').slice(0, 26);
}

/** For thirty seconds the server knows the messages that were posted with an id of their author's. */
const rememberMs = 30_000;
const pending = new Map<string, { id: string; at: number }>();

/** The calls of a bot: api.mattermost.com */
export function answerBot(request: Request, room: Room | undefined, memory: Memory): Answer {
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
        ...memory.rooms.filter(({ state }) => state !== 'left').map(channelOf),
        { id: 'direct', type: 'D', display_name: '', name: 'direct', delete_at: 0 },
      ]);
    case 'GET /api/v4/channels/id':
      if (!room) return failure(404, 'app.channel.get.existing.app_error');
      if (room.state === 'left') return failure(403, 'api.context.permissions.app_error');
      return json(200, channelOf(room));
    case 'POST /api/v4/posts':
      return post(request, room, memory);
    default:
      return failure(404, 'api.context.404.app_error');
  }
}

function channelOf(room: Room) {
  return {
    ...{ id: channelId(room), team_id: 'equipe', name: room.id, display_name: room.name },
    type: room.id === 'bureau' ? 'P' : 'O',
    delete_at: room.state === 'archived' ? 1_790_000_000_000 : 0,
  };
}

function post(request: Request, room: Room | undefined, memory: Memory): Answer {
  const read = readJson(request);
  if ('fault' in read) return failure(400, 'api.context.invalid_body_param.app_error');
  if (!room) return failure(400, 'api.context.invalid_param.app_error');
  if (room.state === 'left') return failure(403, 'api.context.permissions.app_error');
  if (room.state === 'archived') {
    return failure(400, 'api.post.create_post.can_not_post_to_deleted.error');
  }
  const { message = '', pending_post_id: given = '' } = read.value;
  if ([...String(message)].length > 16_383) {
    return failure(400, 'model.post.is_valid.message_length.app_error');
  }
  const now = memory.now().getTime();
  const before = pending.get(String(given));
  const isKnown = before && now - before.at < rememberMs;
  const id = isKnown ? before.id : memory.keep(room, read.value).id;
  if (given && !isKnown) pending.set(String(given), { id, at: now });
  const told = { id, create_at: now, channel_id: channelId(room), message };
  return json(201, { ...told, pending_post_id: isKnown ? '' : given });
}
