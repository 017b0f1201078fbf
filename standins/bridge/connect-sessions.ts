import { randomUUID } from 'node:crypto';
import { dayMs } from '../service/durations.ts';
import { readJson } from '../service/request.ts';
import type { Answer } from '../service/responses.ts';
import { findBank } from './banks.ts';
import { answer, refusal } from './responses.ts';
import type { UserCall } from './standin.ts';
import { type Item, itemsOf, type Session, type State } from './state.ts';

const managementSessions = 4;

type Body = Record<string, unknown>;

/**
 * docs.bridgeapi.io/reference/createconnectsession. A new connection without an email address is
 * answered 404, as authors of clients saw it.
 */
export function createSession(call: UserCall): Answer {
  const { standin, userUuid } = call;
  const json = readJson(call.request);
  if ('fault' in json) return refusal(422, 'invalid_json', 'The body is not a JSON object.');
  const body = json.value;
  const property = faultOf(body, standin.options.callbackPrefixes);
  if (property) {
    return refusal(400, `connect_session.${property}_invalid`, 'Invalid.', { property });
  }
  const now = standin.options.clock.now();
  const items = itemsOf(standin.state, userUuid);
  const item = items.find((one) => one.id === body.item_id) ?? null;
  if (body.item_id !== undefined && !item) return refusal(404, 'item.not_found', 'Item not found.');
  if (!item && !/^[^\s@]+@[^\s@]+$/.test(String(body.user_email ?? ''))) {
    return refusal(404, 'not_found', 'Not found.');
  }
  if (item && !takeManagement(item, now)) {
    return refusal(429, 'connect_session.limit_reached', 'Four sessions a day.');
  }
  const session = newSession(userUuid, body, item, now);
  forgetOld(standin.state, now);
  standin.state.sessions[session.id] = session;
  standin.changed();
  return answer(201, {
    id: session.id,
    url: `${standin.url()}/session/${session.id}`,
    ...(standin.variations.isOn && { flow: 'aggregation' }),
  });
}

const properties = new Set([
  'user_email',
  'provider_id',
  'item_id',
  'force_reauthentication',
  'country_code',
  'capabilities',
  'account_types',
  'allow_account_selection',
  'max_selectable_accounts',
  'callback_url',
  'context',
]);

/** The name of the first property that is wrong, unknown or out of place. */
function faultOf(body: Body, callbackPrefixes: string[] | null): string | null {
  const unknown = Object.keys(body).find((name) => !properties.has(name));
  if (unknown) return unknown;
  const { account_types: types, context, callback_url: callback, item_id: item } = body;
  if (types !== undefined && types !== 'payment' && types !== 'all') return 'account_types';
  if (context !== undefined && !/^[A-Za-z0-9-]{1,100}$/.test(String(context))) return 'context';
  if (callback !== undefined && !isAuthorised(callback, callbackPrefixes)) return 'callback_url';
  if (item !== undefined && typeof item !== 'number') return 'item_id';
  if (item !== undefined && body.provider_id !== undefined) return 'provider_id';
  const renews = body.force_reauthentication !== undefined;
  return renews && item === undefined ? 'force_reauthentication' : null;
}

/** The application's domains stand in Bridge's dashboard. */
function isAuthorised(url: unknown, prefixes: string[] | null): boolean {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/.test(url)) return false;
  return prefixes === null || prefixes.some((prefix) => url.startsWith(prefix));
}

/** Four per item in any 24 hours. */
function takeManagement(item: Item, now: Date): boolean {
  const since = now.getTime() - dayMs;
  item.managedAt = item.managedAt.filter((at) => new Date(at).getTime() > since);
  if (item.managedAt.length >= managementSessions) return false;
  item.managedAt.push(now.toISOString());
  return true;
}

function newSession(userUuid: string, body: Body, item: Item | null, now: Date): Session {
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
