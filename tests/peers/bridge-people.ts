import { randomUUID } from 'node:crypto';
import { listAnswer } from './bridge-lists.ts';
import { BridgeRefusal, type BridgeState, type BridgeUser, turn } from './bridge-state.ts';
import type { Raw } from './bridge-world.ts';
import type { Answered, Asked } from './listening.ts';

const tokenLifeMs = 2 * 60 * 60 * 1000;
const minuteMs = 60_000;

export function createUser(state: BridgeState, body: Raw): Answered {
  const { external_user_id: external } = body;
  if (
    external !== undefined &&
    !(typeof external === 'string' && /^[\w-]{1,128}$/.test(external))
  ) {
    throw new BridgeRefusal(400, 'user.external_user_id_invalid', 'external_user_id');
  }
  if (external && userNamed(state, external)) throw new BridgeRefusal(409, 'user.already_exists');
  const user = addUser(state, external);
  return { status: 201, body: JSON.stringify(shown(user)) };
}

export function addUser(state: BridgeState, external?: string): BridgeUser {
  const user: BridgeUser = {
    uuid: randomUUID(),
    ...(external && { external_user_id: external }),
    items: [],
    accounts: [],
    tokensAsked: [],
    managed: new Map(),
  };
  state.users.set(user.uuid, user);
  return user;
}

export function listUsers(state: BridgeState, asked: Asked): Answered {
  const external = asked.query.get('external_user_id');
  const users = [...state.users.values()].filter(
    (user) => external === null || user.external_user_id === external,
  );
  return listAnswer(state, asked, users.map(shown));
}

/** Ten a minute and user; answered 200 or 201, and dated with or without its Z. */
export function giveToken(state: BridgeState, body: Raw): Answered {
  const user = userOf(state, body);
  const now = state.now();
  user.tokensAsked = [...user.tokensAsked.filter((at) => at > now - minuteMs), now];
  if (user.tokensAsked.length > 10) throw new BridgeRefusal(429, 'too_many_requests');
  const token = `${randomUUID().replaceAll('-', '')}-${randomUUID()}`;
  state.tokens.set(token, { user, until: now + tokenLifeMs });
  const expiry = new Date(now + tokenLifeMs).toISOString().slice(0, 19);
  return {
    status: turn(state, 'status of a token', [200, 201]),
    body: JSON.stringify({
      access_token: token,
      expires_at: turn(state, 'date of a token', [expiry, `${expiry}Z`]),
      user: shown(user),
      token_type: 'bearer',
    }),
  };
}

function userOf(state: BridgeState, body: Raw): BridgeUser {
  const { user_uuid: uuid, external_user_id: external } = body;
  if ((uuid === undefined) === (external === undefined)) {
    throw new BridgeRefusal(400, 'authorization.user_ambiguous');
  }
  const user = uuid === undefined ? userNamed(state, external) : state.users.get(String(uuid));
  if (!user) throw new BridgeRefusal(404, 'user.not_found');
  return user;
}

function userNamed(state: BridgeState, external: unknown): BridgeUser | undefined {
  return [...state.users.values()].find((user) => user.external_user_id === external);
}

function shown({ uuid, external_user_id }: BridgeUser): Raw {
  return { uuid, ...(external_user_id && { external_user_id }) };
}
