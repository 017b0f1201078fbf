import { systemClock } from '../../src/server/platform/clock.ts';
import { finishVisit, openSession } from './bridge-connect.ts';
import { listAnswer } from './bridge-lists.ts';
import { addUser, createUser, giveToken, listUsers } from './bridge-people.ts';
import { BridgeRefusal, type BridgeState, type BridgeUser, turn } from './bridge-state.ts';
import { type ConnectionName, providers, type Raw } from './bridge-world.ts';
import { type Answered, type Asked, type Listening, listen } from './listening.ts';

export const bridgeCredentials = { clientId: 'peer_id_7', clientSecret: 'peer_secret_7' };

export interface BridgePeer extends Listening {
  /** Ends every token that was given out, hours before its date. */
  forgetTokens(): void;
  /** The user is removed there, as a retention rule does, with tokens and all. */
  forgetUser(externalUserId: string): void;
  /** Someone at the bank peer already bears this name of ours. */
  register(externalUserId: string): void;
  /** What the person does at a session's address; gives where the browser is sent back to. */
  visit(
    url: string,
    end: { links: ConnectionName } | { repairs: number } | { leavesAt: string },
  ): string;
  /** The next request is answered so, whatever it asks. */
  answerNext(answer: Answered): void;
}

/** Bridge v3 from its documentation alone (docs.bridgeapi.io), with habits of its own. */
export async function startBridgePeer(options: {
  callbackHost: string;
  now?: () => Date;
}): Promise<BridgePeer> {
  const now = options.now ?? systemClock.now;
  const state: BridgeState = {
    ...bridgeCredentials,
    callbackHost: options.callbackHost,
    now: () => now().getTime(),
    users: new Map(),
    tokens: new Map(),
    visits: new Map(),
    turns: new Map(),
  };
  const prepared: Answered[] = [];
  const listening = await listen((asked) => prepared.shift() ?? answer(state, asked));
  return {
    ...listening,
    forgetTokens: () => state.tokens.clear(),
    forgetUser(externalUserId) {
      for (const { uuid, external_user_id } of [...state.users.values()]) {
        if (external_user_id === externalUserId) state.users.delete(uuid);
      }
      state.tokens.clear();
    },
    register: (externalUserId) => void addUser(state, externalUserId),
    visit: (url, end) => finishVisit(state, url, end),
    answerNext: (next) => void prepared.push(next),
  };
}

function answer(state: BridgeState, asked: Asked): Answered {
  try {
    const answered = route(state, asked);
    return { ...answered, headers: { 'content-type': 'application/json', server: 'Bridge' } };
  } catch (error) {
    if (error instanceof BridgeRefusal) return refusalAnswer(state, error);
    throw error;
  }
}

/** The reference shows the list of errors, the page of basics the inner object alone. */
function refusalAnswer(state: BridgeState, refusal: BridgeRefusal): Answered {
  const { status, code, property, message } = refusal;
  const inner = { code, message, ...(property && { property }) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(turn<Raw>(state, 'shape of a refusal', [{ errors: [inner] }, inner])),
  };
}

function route(state: BridgeState, asked: Asked): Answered {
  checkApplication(state, asked);
  const [area, noun, id, more] = asked.path.replace(/^\/v3\//, '').split('/');
  if (!asked.path.startsWith('/v3/') || more) throw new BridgeRefusal(404, 'not_found');
  const what = `${asked.method} ${area === 'providers' ? 'providers' : noun}`;
  if (area === 'providers') return readProviders(state, asked, what, noun);
  if (area !== 'aggregation') throw new BridgeRefusal(404, 'not_found');
  if (what === 'POST users' && !id) return createUser(state, bodyOf(asked));
  if (what === 'GET users' && !id) return listUsers(state, asked);
  if (what === 'POST authorization' && id === 'token') return giveToken(state, bodyOf(asked));
  const user = personOf(state, asked);
  if (what === 'POST connect-sessions' && !id) return openSession(state, user, bodyOf(asked));
  if (what === 'DELETE items' && id) return removeItem(user, Number(id));
  if (what === 'GET items') return read(state, asked, user.items, 'item', id);
  if (what === 'GET accounts') {
    const item = asked.query.get('item_id');
    const accounts = user.accounts.filter(({ item_id }) => !item || String(item_id) === item);
    return read(state, asked, accounts, 'account', id);
  }
  throw new BridgeRefusal(404, 'not_found');
}

/** All four headers, or nothing. */
function checkApplication(state: BridgeState, { headers }: Asked): void {
  if (headers['bridge-version'] !== '2025-01-15') throw new BridgeRefusal(400, 'invalid_version');
  if (headers['client-id'] !== state.clientId || headers['client-secret'] !== state.clientSecret) {
    throw new BridgeRefusal(401, 'invalid_client_credentials');
  }
}

function personOf(state: BridgeState, { headers }: Asked): BridgeUser {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (!token) throw new BridgeRefusal(401, 'invalid_authorization_header');
  const known = state.tokens.get(token);
  if (!known || known.until <= state.now()) throw new BridgeRefusal(401, 'expired_token');
  return known.user;
}

function bodyOf({ headers, body }: Asked): Raw {
  if (!headers['content-type']?.startsWith('application/json')) {
    throw new BridgeRefusal(415, 'unsupported_media_type');
  }
  try {
    return JSON.parse(body);
  } catch {
    throw new BridgeRefusal(422, 'invalid_json');
  }
}

function readProviders(state: BridgeState, asked: Asked, what: string, id?: string): Answered {
  if (what !== 'GET providers') throw new BridgeRefusal(404, 'not_found');
  return read(state, asked, providers, 'provider', id);
}

function read(
  state: BridgeState,
  asked: Asked,
  rows: Raw[],
  noun: string,
  id: string | undefined,
): Answered {
  if (!id) return listAnswer(state, asked, rows);
  const row = rows.find((one) => String(one.id) === id);
  if (!row) throw new BridgeRefusal(404, `${noun}.not_found`);
  return { status: 200, body: JSON.stringify(row) };
}

function removeItem(user: BridgeUser, id: number): Answered {
  if (!user.items.some((item) => item.id === id)) throw new BridgeRefusal(404, 'item.not_found');
  user.items = user.items.filter((item) => item.id !== id);
  user.accounts = user.accounts.filter((account) => account.item_id !== id);
  return { status: 204 };
}
