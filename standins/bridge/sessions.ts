import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sendError, sendJson } from './answers.ts';
import type { UserCall } from './api.ts';
import { findBank } from './banks.ts';
import { jsonOf } from './request.ts';
import { type Item, itemsOf, type Session, type State } from './state.ts';

const dayMs = 24 * 60 * 60_000;
const managementSessions = 4;

/** docs.bridgeapi.io/reference/createconnectsession */
export function createSession(
  { standin, request, userUuid }: UserCall,
  response: ServerResponse,
): ServerResponse {
  const body = jsonOf(request);
  if (!body) return sendError(response, 422, 'invalid_json', 'The body is not a JSON object.');
  const fault = faultOf(body);
  if (fault) return sendError(response, 400, `connect_session.${fault}_invalid`, 'Invalid.', fault);
  const { state, changed } = standin.store;
  const now = standin.options.clock.now();
  const item = itemsOf(state, userUuid).find((one) => one.id === body.item_id) ?? null;
  if (body.item_id !== undefined && !item) {
    return sendError(response, 404, 'item.not_found', 'Item not found.');
  }
  if (!item && typeof body.user_email !== 'string') {
    return sendError(response, 404, 'not_found', 'Not found.');
  }
  if (item && !takeManagement(item, now)) {
    return sendError(response, 429, 'connect_session.limit_reached', 'Four sessions a day.');
  }
  const session = newSession(userUuid, body, item, now);
  forgetOld(state, now);
  state.sessions[session.id] = session;
  changed();
  return sendJson(response, 201, { id: session.id, url: `${standin.url()}/session/${session.id}` });
}

/** The name of the first property that is wrong. */
function faultOf(body: Record<string, unknown>): string | null {
  const types = body.account_types;
  if (types !== undefined && types !== 'payment' && types !== 'all') return 'account_types';
  if (body.context !== undefined && !/^[A-Za-z0-9-]{1,100}$/.test(String(body.context))) {
    return 'context';
  }
  const url = body.callback_url;
  const isWeb = typeof url === 'string' && URL.canParse(url) && /^https?:/.test(url);
  return url !== undefined && !isWeb ? 'callback_url' : null;
}

/** Four per item in any 24 hours. */
function takeManagement(item: Item, now: Date): boolean {
  const since = now.getTime() - dayMs;
  item.managedAt = item.managedAt.filter((at) => new Date(at).getTime() > since);
  if (item.managedAt.length >= managementSessions) return false;
  item.managedAt.push(now.toISOString());
  return true;
}

function newSession(
  userUuid: string,
  body: Record<string, unknown>,
  item: Item | null,
  now: Date,
): Session {
  const provider = item?.providerId ?? findBank(Number(body.provider_id))?.id ?? null;
  return {
    id: randomUUID(),
    userUuid,
    callbackUrl: typeof body.callback_url === 'string' ? body.callback_url : null,
    context: typeof body.context === 'string' ? body.context : null,
    createdAt: now.toISOString(),
    itemId: item?.id ?? null,
    repair: item !== null,
    step: firstStep(item, provider),
    providerId: provider,
    login: '',
    fault: null,
  };
}

function firstStep(item: Item | null, provider: number | null): Session['step'] {
  if (item?.status === 1100) return 'pro';
  if (item?.status === 1010) return 'otp';
  return provider === null ? 'banks' : 'login';
}

function forgetOld(state: State, now: Date): void {
  for (const session of Object.values(state.sessions)) {
    if (now.getTime() - new Date(session.createdAt).getTime() > dayMs) {
      delete state.sessions[session.id];
    }
  }
}
