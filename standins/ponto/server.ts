import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type FaultShapes, withRetryAfter } from '../service/faults.ts';
import { createFaultyApi } from '../service/faulty-api.ts';
import type { StandinOptions } from '../service/options.ts';
import {
  bearerOf,
  fieldsOf,
  header,
  isFromOwnPage,
  mediaType,
  type Request,
} from '../service/request.ts';
import { type Answer, json, redirect } from '../service/responses.ts';
import { readSaved, type SavedState, saveState } from '../service/saved-state.ts';
import { dashboardPage, endConsent, renewConsent } from './dashboard.ts';
import { presentAccount, presentTransactions } from './figures.ts';
import { type Account, institutions, type Organization, openState, organization } from './state.ts';

export type PontoStandin = Awaited<ReturnType<typeof startPontoStandin>>;

const tokenSeconds = 1_799;
const betweenMs = 5 * 60_000;
const longestPage = 100;
const subtypes = new Set([
  ...['accountDetails', 'accountTransactions', 'accountTransactionsWithUnsettled'],
]);

/** Ponto's API for custom integrations (documentation.myponto.com), on this machine alone. */
export async function startPontoStandin(options: StandinOptions) {
  const { port = 0, clock, stateFile = null } = options;
  const state = openState(readSaved(stateFile), clock.now());
  const saved = saveState(stateFile, () => state);
  const api = createFaultyApi();
  let url = '';
  const context: Context = {
    ...{ state, clock, saved, tokens: new Map(), synchronizations: new Map() },
    behaviour: { pageSize: 100, foreignNext: false },
    url: () => url,
  };
  const running = await api.start({
    ...{ port, saved, shapes, control: { ...createControl(context), ...api.control } },
    answer: (request) => answer(context, request),
    pageOf: (request) =>
      request.path.startsWith('/dashboard') ? dashboard(context, request) : null,
  });
  url = running.url;
  return running;
}

/** What the answers are made of, and what they change. */
interface Context {
  state: ReturnType<typeof openState>;
  clock: StandinOptions['clock'];
  saved: SavedState;
  tokens: Map<string, { clientId: string; until: number }>;
  synchronizations: Map<string, { accountId: string; asked: number; error: boolean }>;
  behaviour: { pageSize: number; foreignNext: boolean };
  /** Where the stand-in is reached. */
  url(): string;
}

/** What tests and the demonstration do behind the service's back. */
function createControl({ state, clock, saved, tokens, behaviour }: Context) {
  return {
    /** Pairs and account ids, to paste and to change. */
    organizations: () => state.organizations,
    addOrganization(name: string, clientId: string) {
      const rank = state.organizations.length + 1;
      const made = organization(name, clientId, `secret-${clientId}`, rank, clock.now());
      state.organizations.push(made);
      saved.changed();
      return made;
    },
    setOrganization(clientId: string, change: Partial<Organization>) {
      Object.assign(state.organizations.find((one) => one.clientId === clientId) ?? {}, change);
      saved.changed();
    },
    setAccount(id: string, change: Partial<Account>) {
      const accounts = state.organizations.flatMap((one) => one.accounts);
      for (const account of accounts) if (account.id === id) Object.assign(account, change);
      saved.changed();
    },
    /** All tokens end before their time. */
    dropTokens: () => tokens.clear(),
    setBehaviour: (change: Partial<Context['behaviour']>) => void Object.assign(behaviour, change),
  };
}

function answer(context: Context, request: Request): Answer {
  const { state, clock, tokens } = context;
  const { method, path } = request;
  if (`${method} ${path}` === 'POST /oauth2/token') return openToken(context, request);
  const bank = /^\/financial-institutions(?:\/([\w-]+))?$/.exec(path);
  if (method === 'GET' && bank) return bank[1] ? oneBank(bank[1]) : banksOf(context, request);
  const token = tokens.get(bearerOf(request));
  if (!token || clock.now().getTime() >= token.until) return refusal(401, 'invalidAccessToken');
  const owner = state.organizations.find((one) => one.clientId === token.clientId);
  if (!owner) return refusal(401, 'invalidAccessToken');
  if (`${method} ${path}` === 'GET /accounts') {
    return pageOf(
      context,
      request,
      owner.accounts.map((one) => presentAccount(owner, one, clock.now())),
    );
  }
  const [, ofAccount] = /^\/accounts\/([\w-]+)\/transactions$/.exec(path) ?? [];
  if (method === 'GET' && ofAccount) {
    const account = owner.accounts.find(({ id }) => id === ofAccount);
    if (!account) return refusal(404, 'resourceNotFound');
    return pageOf(context, request, presentTransactions(owner, account, clock.now()));
  }
  if (`${method} ${path}` === 'POST /synchronizations') return synchronize(context, request, owner);
  const [, started] = /^\/synchronizations\/([\w-]+)$/.exec(path) ?? [];
  if (method === 'GET' && started) return synchronizationOf(context, started);
  return refusal(404, 'resourceNotFound');
}

function openToken({ state, clock, tokens }: Context, request: Request): Answer {
  const [, basic = ''] = /^Basic (\S+)$/.exec(header(request, 'authorization')) ?? [];
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const owner = state.organizations.find((one) => `${one.clientId}:${one.clientSecret}` === pair);
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    return json(400, { error: 'invalid_request' });
  }
  const { grant_type: grant } = fieldsOf(new URLSearchParams(request.text));
  if (grant !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
  if (!owner) return json(401, { error: 'invalid_client', error_description: 'Unknown client' });
  const token = randomBytes(16).toString('hex');
  const until = clock.now().getTime() + tokenSeconds * 1000;
  tokens.set(token, { clientId: owner.clientId, until });
  return json(200, {
    ...{ access_token: token, expires_in: tokenSeconds, scope: 'ai', token_type: 'bearer' },
  });
}

function banksOf(context: Context, request: Request): Answer {
  const country = request.query.get('filter[country][eq]');
  const rows = institutions.filter((one) => country === null || one.country === country);
  return pageOf(context, request, rows.map(presentBank));
}

function oneBank(id: string): Answer {
  const found = institutions.find((one) => one.id === id);
  return found ? json(200, { data: presentBank(found) }) : refusal(404, 'resourceNotFound');
}

/** Absolute addresses lead on, after the last row of a page. */
function pageOf({ behaviour, url }: Context, request: Request, rows: object[]): Answer {
  const limit = Number(request.query.get('page[limit]') ?? 10);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= longestPage)) {
    return refusal(400, 'invalidPageLimit');
  }
  const size = Math.min(behaviour.pageSize, limit);
  const start = Number(request.query.get('page[after]') ?? 0);
  const next = new URLSearchParams(request.query);
  next.set('page[after]', String(start + size));
  const host = behaviour.foreignNext ? 'https://elsewhere.invalid' : url();
  const hasMore = start + size < rows.length || behaviour.foreignNext;
  return json(200, {
    data: rows.slice(start, start + size),
    links: {
      first: `${url()}${request.path}`,
      ...(hasMore && { next: `${host}${request.path}?${next}` }),
    },
    meta: { paging: { limit: size } },
  });
}

function synchronize(
  { clock, saved, synchronizations }: Context,
  request: Request,
  owner: Organization,
): Answer {
  const { data } = JSON.parse(request.text) as {
    data: { attributes: Record<string, string | undefined> };
  };
  const { resourceType, resourceId, subtype = '', customerIpAddress = '' } = data.attributes;
  const account = owner.accounts.find(({ id }) => id === resourceId);
  if (!account) return refusal(404, 'resourceNotFound');
  if (resourceType !== 'account' || !subtypes.has(subtype) || !isIP(customerIpAddress)) {
    return refusal(400, 'invalidAttribute');
  }
  const now = clock.now();
  const last = account.synchronizedAt ? Date.parse(account.synchronizedAt) : 0;
  if (now.getTime() - last < betweenMs) return refusal(400, 'accountRecentlySynchronized');
  const error = account.bankError !== null || now >= new Date(account.endsAt);
  if (!error) account.synchronizedAt = now.toISOString();
  saved.changed();
  const id = `43707b3a-0000-4000-8000-${randomBytes(6).toString('hex')}`;
  synchronizations.set(id, { accountId: account.id, asked: 0, error });
  return json(201, { data: presentSynchronization(id, 'pending') });
}

/** Ready at the second look. */
function synchronizationOf({ synchronizations }: Context, id: string): Answer {
  const found = synchronizations.get(id);
  if (!found) return refusal(404, 'resourceNotFound');
  found.asked += 1;
  const end = found.error ? 'error' : 'success';
  return json(200, { data: presentSynchronization(id, found.asked > 1 ? end : 'running') });
}

function dashboard({ state, clock, saved }: Context, request: Request): Answer {
  if (request.method !== 'POST') return dashboardPage(state, clock.now());
  if (!isFromOwnPage(request)) return refusal(403, 'forbidden');
  const { client = '', bank = '', action } = fieldsOf(new URLSearchParams(request.text));
  const owner = state.organizations.find((one) => one.clientId === client);
  const chosen = owner?.accounts.filter((one) => one.institutionId === bank) ?? [];
  for (const account of chosen)
    (action === 'end' ? endConsent : renewConsent)(account, clock.now());
  saved.changed();
  return redirect('/dashboard');
}

function presentBank({ id, ...attributes }: (typeof institutions)[number]): object {
  return { type: 'financialInstitution', id, attributes };
}

function presentSynchronization(id: string, status: string): object {
  return { type: 'synchronization', id, attributes: { status, errors: [] } };
}

/** An error of JSON:API. */
function refusal(status: number, code: string): Answer {
  return json(status, { errors: [{ code, detail: '', meta: {} }] });
}

const shapes: FaultShapes = {
  error: (code = 'forbidden', { status }) =>
    refusal(typeof status === 'number' ? status : 403, code),
  tooMany: (seconds) => withRetryAfter(refusal(429, 'tooManyRequests'), seconds),
  failure: (status) => refusal(status, 'internalServerError'),
};
