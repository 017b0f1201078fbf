import { timingSafeEqual } from 'node:crypto';
import { playFault } from '../service/faults.ts';
import { header, mediaType, type Request, recordRequest } from '../service/request.ts';
import { type Answer, empty } from '../service/responses.ts';
import { presentAccounts } from './accounts.ts';
import { presentBank } from './banks.ts';
import { createSession } from './connect-sessions.ts';
import { faultShapes, fits } from './faults.ts';
import { applyElapsedDays, presentItem, removeItem } from './items.ts';
import { tooMany } from './limits.ts';
import { listAnswer } from './lists.ts';
import { answer, refusal, withoutEnvelope } from './responses.ts';
import type { Call, Route, Standin, UserCall } from './standin.ts';
import { type Item, itemsOf } from './state.ts';
import { presentTransactions } from './transactions.ts';
import { createToken, createUser, deleteUser, listUsers } from './users.ts';

/** `/v3/…`, under the faults that tests ask for. */
export function answerApi(standin: Standin, request: Request): Answer | Promise<Answer> {
  recordRequest(standin.requests, request);
  const fault = standin.faults.take((one) => fits(one, request));
  const work = () => answerCall(standin, request);
  return fault ? playFault(fault, work, faultShapes) : work();
}

function answerCall(standin: Standin, request: Request): Answer {
  const answered = refuseApplication(standin, request) ?? answerRoute(standin, request);
  const isRefused = answered.status >= 400;
  return isRefused && standin.variations.pick('shape of a refusal', [false, true])
    ? withoutEnvelope(answered)
    : answered;
}

/** No refresh endpoint exists: docs.bridgeapi.io, version 2025-01-15. */
function answerRoute(standin: Standin, request: Request): Answer {
  if (request.method === 'POST' && mediaType(request) !== 'application/json') {
    const isKnown = `POST ${request.path}` in routes || `POST ${request.path}` in userRoutes;
    if (isKnown) return refusal(415, 'unsupported_media_type', 'The body is not JSON.');
  }
  const [, path = '', id = ''] =
    /^(\/v3\/.*?)(?:\/(\d{1,15}|[0-9a-f]{8}-[0-9a-f-]{27}))?$/.exec(request.path) ?? [];
  const key = `${request.method} ${path}${id === '' ? '' : '/:id'}`;
  const call: Call = { standin, request, id };
  const route = routes[key];
  if (route) return route(call);
  const userRoute = userRoutes[key];
  if (userRoute) return answerUser(call, userRoute);
  return refusal(404, 'not_found', 'No such resource.');
}

const routes: Record<string, Route<Call>> = {
  'POST /v3/aggregation/users': createUser,
  'GET /v3/aggregation/users': listUsers,
  'DELETE /v3/aggregation/users/:id': deleteUser,
  'POST /v3/aggregation/authorization/token': createToken,
  'GET /v3/providers': (call) => {
    const { options, variations } = call.standin;
    const rows = options.banks.map((bank) => presentBank(bank, variations));
    return listAnswer(call, rows);
  },
  'GET /v3/providers/:id': ({ standin, id }) => {
    const bank = standin.options.banks.find((one) => one.id === Number(id));
    if (bank) return answer(200, presentBank(bank, standin.variations));
    return refusal(404, 'provider.not_found', 'Provider not found.');
  },
};

const userRoutes: Record<string, Route<UserCall>> = {
  'POST /v3/aggregation/connect-sessions': createSession,
  'GET /v3/aggregation/items': (call) => {
    const now = call.standin.options.clock.now();
    const rows = itemsNow(call).map((item) => presentItem(item, now));
    return listAnswer(call, rows);
  },
  'GET /v3/aggregation/items/:id': (call) => {
    const item = itemsNow(call).find((one) => one.id === Number(call.id));
    if (!item) return refusal(404, 'item.not_found', 'Item not found.');
    return answer(200, presentItem(item, call.standin.options.clock.now()));
  },
  'DELETE /v3/aggregation/items/:id': (call) => {
    const { standin, userUuid } = call;
    const item = itemsNow(call).find((one) => one.id === Number(call.id));
    if (!item) return refusal(404, 'item.not_found', 'Item not found.');
    removeItem(standin.state, item);
    standin.changed();
    standin.webhooks.send('item.deleted', { item_id: item.id, user_uuid: userUuid });
    return empty(204);
  },
  'GET /v3/aggregation/accounts': (call) => {
    const { state, options } = call.standin;
    return listAnswer(call, presentAccounts(state, itemsNow(call), options.clock.now()));
  },
  // Only these two of its filters work: an `item_id` is ignored.
  'GET /v3/aggregation/transactions': (call) => {
    const { state, options } = call.standin;
    const { query } = call.request;
    const since = query.get('min_date') ?? '0000-00-00';
    const account = query.get('account_id');
    const rows = presentTransactions(state, itemsNow(call), since, options.clock.now());
    const isWanted = (row: Record<string, unknown>) =>
      account === null || String(row.account_id) === account;
    return listAnswer(call, rows.filter(isWanted));
  },
};

function refuseApplication({ options, limits }: Standin, request: Request): Answer | null {
  if (header(request, 'bridge-version') !== '2025-01-15') {
    return refusal(400, 'invalid_version', 'Header Bridge-Version must be 2025-01-15.');
  }
  const isKnown =
    isSame(header(request, 'client-id'), options.clientId) &&
    isSame(header(request, 'client-secret'), options.clientSecret);
  if (!isKnown) return refusal(401, 'invalid_client_credentials', 'Invalid client credentials.');
  if (limits && !limits.take('application', options.clientId, options.clock.now())) return tooMany;
  return null;
}

function answerUser(call: Call, route: Route<UserCall>): Answer {
  const { state, options, limits, variations } = call.standin;
  const token = /^Bearer (\S+)$/.exec(header(call.request, 'authorization'))?.[1] ?? '';
  const known = Object.hasOwn(state.tokens, token) ? state.tokens[token] : undefined;
  const now = options.clock.now();
  if (!known || new Date(known.expiresAt) <= now) {
    const codes = ['invalid_authorization_header', 'expired_token'] as const;
    return refusal(401, variations.pick('code of a 401', codes), 'Invalid access token.');
  }
  if (limits && !limits.take('user', known.userUuid, now)) return tooMany;
  return route({ ...call, userUuid: known.userUuid });
}

/** The user's items, after the days that have passed on them. */
function itemsNow({ standin, userUuid }: UserCall): Item[] {
  const { state, options } = standin;
  const items = itemsOf(state, userUuid);
  const now = options.clock.now();
  if (items.filter((item) => applyElapsedDays(state, item, now)).length > 0) standin.changed();
  return items;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
