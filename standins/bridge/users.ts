import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendError, sendJson } from './answers.ts';
import { removeItem, withoutNulls } from './items.ts';
import { tooMany } from './limits.ts';
import { jsonOf, type Request } from './request.ts';
import type { Standin } from './server.ts';
import { itemsOf, type State, type User } from './state.ts';

export function createUser(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const body = jsonOf(request);
  if (!body) return sendError(response, 422, 'invalid_json', 'The body is not a JSON object.');
  const external = body.external_user_id ?? null;
  if (external !== null && !/^[a-zA-Z0-9\-_]{1,128}$/.test(String(external))) {
    return sendError(response, 400, 'user.external_user_id_invalid', 'Invalid external_user_id.');
  }
  const externalUserId = external === null ? null : String(external);
  if (externalUserId && findByExternal(standin.store.state, externalUserId)) {
    return sendError(response, 409, 'user.already_exists', 'This external_user_id exists.');
  }
  const user: User = { uuid: randomUUID(), externalUserId };
  standin.store.state.users[user.uuid] = user;
  standin.store.changed();
  return sendJson(response, 201, present(user));
}

export function listUsers(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const wanted = request.query.get('external_user_id');
  const users = Object.values(standin.store.state.users)
    .filter((user) => wanted === null || user.externalUserId === wanted)
    .slice(0, 500);
  return sendJson(response, 200, {
    resources: users.map(present),
    generated_at: standin.options.clock.now().toISOString(),
    pagination: { next_uri: null },
  });
}

export function deleteUser(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const { state, changed } = standin.store;
  const uuid = request.path.split('/').at(-1) ?? '';
  if (!Object.hasOwn(state.users, uuid)) {
    return sendError(response, 404, 'user.not_found', 'User not found.');
  }
  forgetUser(state, uuid);
  changed();
  standin.webhooks.send('user.deleted', { user_uuid: uuid });
  return sendJson(response, 204);
}

export function forgetUser(state: State, uuid: string): void {
  for (const item of itemsOf(state, uuid)) removeItem(state, item);
  for (const [token, { userUuid }] of Object.entries(state.tokens)) {
    if (userUuid === uuid) delete state.tokens[token];
  }
  delete state.users[uuid];
}

/** Two hours, no refresh token: docs.bridgeapi.io/docs/user-creation-authentication */
export function createToken(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const { state, changed } = standin.store;
  const body = jsonOf(request) ?? {};
  const user =
    typeof body.user_uuid === 'string'
      ? Object.values(state.users).find(({ uuid }) => uuid === body.user_uuid)
      : findByExternal(state, String(body.external_user_id));
  if (!user) return sendError(response, 404, 'user.not_found', 'User not found.');
  const now = standin.options.clock.now();
  if (standin.limits && !standin.limits.take('token', user.uuid, now)) {
    return sendError(response, ...tooMany);
  }
  const expiresAt = new Date(now.getTime() + 2 * 60 * 60_000).toISOString();
  const token = `${randomBytes(20).toString('hex')}-${user.uuid}`;
  dropExpired(state, now);
  state.tokens[token] = { userUuid: user.uuid, expiresAt };
  changed();
  return sendJson(response, 200, {
    access_token: token,
    expires_at: expiresAt,
    user: present(user),
  });
}

export function findByExternal(state: State, externalUserId: string): User | undefined {
  return Object.values(state.users).find((user) => user.externalUserId === externalUserId);
}

function dropExpired(state: State, now: Date): void {
  for (const [token, { expiresAt }] of Object.entries(state.tokens)) {
    if (new Date(expiresAt) <= now) delete state.tokens[token];
  }
}

function present(user: User): Record<string, unknown> {
  const { id: _id, ...row } = withoutNulls({
    id: 0,
    uuid: user.uuid,
    external_user_id: user.externalUserId,
  });
  return row;
}
