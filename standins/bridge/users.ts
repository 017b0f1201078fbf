import { randomBytes, randomUUID } from 'node:crypto';
import { hourMs } from '../service/durations.ts';
import { readJson } from '../service/request.ts';
import { type Answer, empty } from '../service/responses.ts';
import { removeItem } from './items.ts';
import { tooMany } from './limits.ts';
import { endOf } from './lists.ts';
import { answer, refusal, withoutNulls } from './responses.ts';
import type { Call } from './standin.ts';
import { itemsOf, type State, type User } from './state.ts';

export function createUser({ standin, request }: Call): Answer {
  const body = readJson(request);
  if ('fault' in body) return refusal(422, 'invalid_json', 'The body is not a JSON object.');
  const external = body.value.external_user_id ?? null;
  const isName = typeof external === 'string' && /^[a-zA-Z0-9\-_]{1,128}$/.test(external);
  if (external !== null && !isName) {
    const property = 'external_user_id';
    return refusal(400, 'user.external_user_id_invalid', 'Invalid external_user_id.', { property });
  }
  const externalUserId = isName ? external : null;
  if (externalUserId && findByExternal(standin.state, externalUserId)) {
    return refusal(409, 'user.already_exists', 'This external_user_id exists.');
  }
  const user: User = { uuid: randomUUID(), externalUserId };
  standin.state.users[user.uuid] = user;
  standin.changed();
  return answer(201, present(user));
}

/** The first 500: whether this list has pages is not documented. */
export function listUsers(call: Call): Answer {
  const { state, options } = call.standin;
  const wanted = call.request.query.get('external_user_id');
  const users = Object.values(state.users)
    .filter((user) => wanted === null || user.externalUserId === wanted)
    .slice(0, 500);
  return answer(200, {
    resources: users.map(present),
    generated_at: options.clock.now().toISOString(),
    ...endOf(call),
  });
}

export function deleteUser({ standin, id: uuid }: Call): Answer {
  const { state } = standin;
  if (!Object.hasOwn(state.users, uuid)) {
    return refusal(404, 'user.not_found', 'User not found.');
  }
  forgetUser(state, uuid);
  standin.changed();
  standin.webhooks.send('user.deleted', { user_uuid: uuid });
  return empty(204);
}

export function forgetUser(state: State, uuid: string): void {
  for (const item of itemsOf(state, uuid)) removeItem(state, item);
  for (const [token, { userUuid }] of Object.entries(state.tokens)) {
    if (userUuid === uuid) delete state.tokens[token];
  }
  delete state.users[uuid];
}

const tokenLifeMs = 2 * hourMs;

/**
 * Two hours, no refresh token: docs.bridgeapi.io/docs/user-creation-authentication, which names a
 * user in one of two ways. Its pages leave open whether the status is 200 or 201, and examples of
 * other answers have dates without a zone.
 */
export function createToken({ standin, request }: Call): Answer {
  const { state, variations } = standin;
  const body = readJson(request);
  if ('fault' in body) return refusal(422, 'invalid_json', 'The body is not a JSON object.');
  const { user_uuid: uuid, external_user_id: external } = body.value;
  if ((uuid === undefined) === (external === undefined)) {
    return refusal(400, 'authorization.user_invalid', 'Give user_uuid or external_user_id.');
  }
  const user = uuid === undefined ? findByExternal(state, external) : findByUuid(state, uuid);
  if (!user) return refusal(404, 'user.not_found', 'User not found.');
  const now = standin.options.clock.now();
  if (standin.limits && !standin.limits.take('token', user.uuid, now)) return tooMany;
  const expiresAt = new Date(now.getTime() + tokenLifeMs).toISOString();
  const token = `${randomBytes(20).toString('hex')}-${user.uuid}`;
  dropExpired(state, now);
  state.tokens[token] = { userUuid: user.uuid, expiresAt };
  standin.changed();
  return answer(variations.pick('status of a token', [200, 201]), {
    access_token: token,
    expires_at: variations.pick('date of a token', [expiresAt, expiresAt.replace('Z', '')]),
    user: present(user),
    ...(variations.isOn && { token_type: 'bearer' }),
  });
}

export function findByExternal(state: State, externalUserId: unknown): User | undefined {
  return Object.values(state.users).find((user) => user.externalUserId === externalUserId);
}

function findByUuid(state: State, uuid: unknown): User | undefined {
  return Object.values(state.users).find((user) => user.uuid === uuid);
}

function dropExpired(state: State, now: Date): void {
  for (const [token, { expiresAt }] of Object.entries(state.tokens)) {
    if (new Date(expiresAt) <= now) delete state.tokens[token];
  }
}

function present(user: User): { uuid: string } & Record<string, unknown> {
  return withoutNulls({ uuid: user.uuid, external_user_id: user.externalUserId });
}
