import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { presentAccounts } from './accounts.ts';
import { sendError, sendJson } from './answers.ts';
import { banks, findBank, presentBank } from './banks.ts';
import { passTime, presentItem, removeItem } from './items.ts';
import { tooMany } from './limits.ts';
import { page } from './lists.ts';
import { header, type Request } from './request.ts';
import type { Standin } from './server.ts';
import { createSession } from './sessions.ts';
import { type Item, itemsOf } from './state.ts';
import { createToken, createUser, deleteUser, listUsers } from './users.ts';

type Route = (
  standin: Standin,
  request: Request,
  response: ServerResponse,
  id: number,
) => ServerResponse;
type UserRoute = (call: UserCall, response: ServerResponse, id: number) => ServerResponse;

export interface UserCall {
  standin: Standin;
  request: Request;
  userUuid: string;
}

/** `/v3/…`. No refresh endpoint exists: docs.bridgeapi.io, version 2025-01-15. */
export function answerApi(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const refusal = refuseApplication(standin, request);
  if (refusal) return sendError(response, ...refusal);
  const [, path = '', id = '0'] = /^(\/v3\/.*?)(?:\/(\d{1,15}))?$/.exec(request.path) ?? [];
  const key = `${request.method} ${path}${id === '0' ? '' : '/:id'}`;
  const route = routes[key];
  if (route) return route(standin, request, response, Number(id));
  const userRoute = userRoutes[key];
  if (userRoute) return answerUser(standin, request, response, userRoute, Number(id));
  if (/^DELETE \/v3\/aggregation\/users\/[\w-]+$/.test(key)) {
    return deleteUser(standin, request, response);
  }
  return sendError(response, 404, 'not_found', 'No such resource.');
}

const routes: Record<string, Route> = {
  'POST /v3/aggregation/users': createUser,
  'GET /v3/aggregation/users': listUsers,
  'POST /v3/aggregation/authorization/token': createToken,
  'GET /v3/providers': (standin, request, response) =>
    sendList(standin, request, response, banks.map(presentBank)),
  'GET /v3/providers/:id': (_standin, _request, response, id) => {
    const bank = findBank(id);
    if (bank) return sendJson(response, 200, presentBank(bank));
    return sendError(response, 404, 'provider.not_found', 'Provider not found.');
  },
};

const userRoutes: Record<string, UserRoute> = {
  'POST /v3/aggregation/connect-sessions': createSession,
  'GET /v3/aggregation/items': (call, response) => {
    const now = call.standin.options.clock.now();
    const rows = itemsNow(call).map((item) => presentItem(item, now));
    return sendList(call.standin, call.request, response, rows);
  },
  'GET /v3/aggregation/items/:id': (call, response, id) => {
    const item = itemsNow(call).find((one) => one.id === id);
    if (item) return sendJson(response, 200, presentItem(item, call.standin.options.clock.now()));
    return sendError(response, 404, 'item.not_found', 'Item not found.');
  },
  'DELETE /v3/aggregation/items/:id': (call, response, id) => {
    const item = itemsNow(call).find((one) => one.id === id);
    if (!item) return sendError(response, 404, 'item.not_found', 'Item not found.');
    removeItem(call.standin.store.state, item);
    call.standin.store.changed();
    call.standin.webhooks.send('item.deleted', { item_id: id, user_uuid: call.userUuid });
    return sendJson(response, 204);
  },
  'GET /v3/aggregation/accounts': (call, response) => {
    const itemId = call.request.query.get('item_id');
    const items = itemsNow(call).filter((item) => !itemId || item.id === Number(itemId));
    return sendList(call.standin, call.request, response, accountsNow(call, items));
  },
  'GET /v3/aggregation/accounts/:id': (call, response, id) => {
    const account = accountsNow(call, itemsNow(call)).find((one) => one.id === id);
    if (account) return sendJson(response, 200, account);
    return sendError(response, 404, 'account.not_found', 'Account not found.');
  },
};

function refuseApplication(
  { options, limits }: Standin,
  request: Request,
): [number, string, string] | null {
  if (header(request, 'bridge-version') !== '2025-01-15') {
    return [400, 'invalid_version', 'Header Bridge-Version must be 2025-01-15.'];
  }
  const isKnown =
    isSame(header(request, 'client-id'), options.clientId) &&
    isSame(header(request, 'client-secret'), options.clientSecret);
  if (!isKnown) return [401, 'invalid_client_credentials', 'Invalid client credentials.'];
  if (limits && !limits.take('application', options.clientId, options.clock.now())) return tooMany;
  return null;
}

function answerUser(
  standin: Standin,
  request: Request,
  response: ServerResponse,
  route: UserRoute,
  id: number,
): ServerResponse {
  const token = /^Bearer (\S+)$/.exec(header(request, 'authorization'))?.[1] ?? '';
  const known = Object.hasOwn(standin.store.state.tokens, token)
    ? standin.store.state.tokens[token]
    : undefined;
  const now = standin.options.clock.now();
  if (!known || new Date(known.expiresAt) <= now) {
    return sendError(response, 401, 'invalid_authorization_header', 'Invalid access token.');
  }
  if (standin.limits && !standin.limits.take('user', known.userUuid, now)) {
    return sendError(response, ...tooMany);
  }
  return route({ standin, request, userUuid: known.userUuid }, response, id);
}

/** The user's items, after the days that have passed on them. */
function itemsNow({ standin, userUuid }: UserCall): Item[] {
  const { state, changed } = standin.store;
  const items = itemsOf(state, userUuid);
  const now = standin.options.clock.now();
  if (items.filter((item) => passTime(state, item, now)).length > 0) changed();
  return items;
}

function accountsNow({ standin }: UserCall, items: Item[]) {
  return presentAccounts(standin.store.state, items, standin.options.clock.now());
}

function sendList(
  standin: Standin,
  request: Request,
  response: ServerResponse,
  rows: { id: number }[],
): ServerResponse {
  const { path, query } = request;
  const now = standin.options.clock.now();
  const body = page(rows, { path, query, now, end: standin.listEnd, maxPage: standin.maxPage });
  if (body) return sendJson(response, 200, body);
  return sendError(response, 400, 'invalid_parameter', 'limit is between 1 and 500.', 'limit');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
