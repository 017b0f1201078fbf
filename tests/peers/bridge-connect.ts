import { randomUUID } from 'node:crypto';
import { BridgeRefusal, type BridgeState, type BridgeUser, type Visit } from './bridge-state.ts';
import { type ConnectionName, connections, type Raw } from './bridge-world.ts';
import type { Answered } from './listening.ts';

const dayMs = 24 * 60 * 60 * 1000;
const fields = new Set([
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

export function openSession(state: BridgeState, user: BridgeUser, body: Raw): Answered {
  const unknown = Object.keys(body).find((name) => !fields.has(name));
  if (unknown) throw new BridgeRefusal(400, 'connect_session.unknown_property', unknown);
  checkWords(state, body);
  if (body.item_id === undefined) checkNewcomer(body);
  else manage(state, user, body);
  const id = randomUUID();
  const url = `https://connect.bridgeapi.io/session/${id}`;
  state.visits.set(url, { user, body: body as Visit['body'] });
  return { status: 201, body: JSON.stringify({ id, url, flow: 'aggregation' }) };
}

function checkWords(state: BridgeState, body: Raw): void {
  const { account_types: types, context, callback_url: callback } = body;
  if (types !== undefined && types !== 'payment' && types !== 'all') {
    throw new BridgeRefusal(400, 'connect_session.account_types_invalid', 'account_types');
  }
  if (context !== undefined && !/^[A-Za-z0-9-]{1,100}$/.test(String(context))) {
    throw new BridgeRefusal(400, 'connect_session.context_invalid', 'context');
  }
  if (callback === undefined) return;
  if (!URL.canParse(String(callback)) || new URL(String(callback)).host !== state.callbackHost) {
    throw new BridgeRefusal(400, 'connect_session.callback_url_invalid', 'callback_url');
  }
}

/** A forgotten e-mail is answered 404, as a client's author saw it. */
function checkNewcomer(body: Raw): void {
  if (body.force_reauthentication !== undefined) {
    throw new BridgeRefusal(400, 'connect_session.item_id_missing', 'item_id');
  }
  if (!/^\S+@\S+$/.test(String(body.user_email ?? ''))) {
    throw new BridgeRefusal(404, 'connect_session.not_found');
  }
}

/** Four in any 24 hours and item, then a 429 that says neither why nor until when. */
function manage(state: BridgeState, user: BridgeUser, body: Raw): void {
  const id = body.item_id;
  if (typeof id !== 'number' || body.provider_id !== undefined) {
    throw new BridgeRefusal(400, 'connect_session.item_id_invalid', 'item_id');
  }
  if (!user.items.some((item) => item.id === id)) throw new BridgeRefusal(404, 'item.not_found');
  const now = state.now();
  const recent = (user.managed.get(id) ?? []).filter((at) => at > now - dayMs);
  if (recent.length >= 4) throw new BridgeRefusal(429, 'too_many_requests');
  user.managed.set(id, [...recent, now]);
}

/** The person links `name` there; the address is where the browser is then sent. */
export function finishVisit(
  state: BridgeState,
  url: string,
  end: { links: ConnectionName } | { repairs: number } | { leavesAt: string },
): string {
  const visit = state.visits.get(url);
  if (!visit?.body.callback_url) throw new Error(`no such session: ${url}`);
  const back = new URL(visit.body.callback_url);
  const item = 'links' in end ? link(state, visit.user, end.links) : visit.body.item_id;
  if (visit.body.context) back.searchParams.set('context', visit.body.context);
  back.searchParams.set('user_uuid', visit.user.uuid);
  back.searchParams.set('source', 'connect');
  back.searchParams.set('success', String(!('leavesAt' in end)));
  if ('leavesAt' in end) back.searchParams.set('step', end.leavesAt);
  if (item !== undefined) back.searchParams.set('item_id', String(item));
  if ('repairs' in end) {
    visit.user.items = visit.user.items.map((old) =>
      old.id === item ? { ...old, status: end.repairs } : old,
    );
  }
  return back.href;
}

function link(state: BridgeState, user: BridgeUser, name: ConnectionName): number {
  const count = [...state.users.values()].reduce((sum, { items }) => sum + items.length, 0);
  const id = 40_000_001 + count;
  const { item, accounts } = connections[name];
  user.items.push({ id, ...item });
  user.accounts.push(
    ...accounts.map((account, index) => ({ ...account, id: id * 100 + index, item_id: id })),
  );
  return id;
}
