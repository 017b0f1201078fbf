import { randomBytes, randomUUID } from 'node:crypto';
import { type FaultShapes, withRetryAfter } from '../service/faults.ts';
import { createFaultyApi } from '../service/faulty-api.ts';
import type { StandinOptions } from '../service/options.ts';
import { isFromOwnPage, type Request } from '../service/request.ts';
import { type Answer, json, redirect } from '../service/responses.ts';
import { readSaved, type SavedState, saveState } from '../service/saved-state.ts';
import { consentPage } from './consent-page.ts';
import { answerBalances, presentAccount, presentBank } from './figures.ts';
import {
  type Account,
  type Application,
  application,
  banks,
  type Consent,
  openState,
  type Session,
} from './state.ts';
import { callerOf } from './tokens.ts';

export interface EnableBankingStandinOptions extends StandinOptions {
  /** The addresses that the application may send browsers back to. */
  redirectUrls?: string[];
}

export type EnableBankingStandin = Awaited<ReturnType<typeof startEnableBankingStandin>>;

/** Enable Banking's API for account information (enablebanking.com/docs), on this machine alone. */
export async function startEnableBankingStandin(options: EnableBankingStandinOptions) {
  const { port = 0, clock, stateFile = null, redirectUrls = [] } = options;
  const state = await openState(readSaved(stateFile), redirectUrls, clock.now());
  const saved = saveState(stateFile, () => state);
  const api = createFaultyApi();
  let url = '';
  const context: Context = { state, clock, saved, closesOld: false, url: () => url };
  const running = await api.start({
    ...{ port, saved, shapes, control: { ...createControl(context), ...api.control } },
    answer: (request) => answer(context, request),
    pageOf: (request) => (request.path === '/welcome' ? welcome(context, request) : null),
  });
  url = running.url;
  return running;
}

/** What the answers are made of, and what they change. */
interface Context {
  state: Awaited<ReturnType<typeof openState>>;
  clock: StandinOptions['clock'];
  saved: SavedState;
  /** A new consent at a bank ends the earlier one, as at many. */
  closesOld: boolean;
  /** Where the stand-in is reached. */
  url(): string;
}

/** What tests and the demonstration do behind the service's back. */
function createControl(context: Context) {
  const { state, saved } = context;
  return {
    /** Ids and private keys, to paste. */
    applications: () => state.applications,
    async addApplication(id: string) {
      const made = await application(id, id, [...(state.applications[0]?.redirectUrls ?? [])]);
      state.applications.push(made);
      return made;
    },
    setApplication(id: string, change: Partial<Application>) {
      Object.assign(state.applications.find((one) => one.id === id) ?? {}, change);
      saved.changed();
    },
    accounts: (bank: string) => accountsOf(context, bank),
    setAccount(hash: string, change: Partial<Account>) {
      Object.assign(state.accounts.find((one) => one.hash === hash) ?? {}, change);
      saved.changed();
    },
    sessions: () => state.sessions,
    setSession(id: string, change: Partial<Session>) {
      Object.assign(state.sessions.find((one) => one.id === id) ?? {}, change);
      saved.changed();
    },
    setBehaviour: (change: Partial<Pick<Context, 'closesOld'>>) =>
      void Object.assign(context, change),
    /** What a person does on the page of a consent: returns where the browser goes. */
    decide(address: string, action: 'allow' | 'refuse' | 'fail', chosen?: string[]): string {
      const id = new URL(address).searchParams.get('sessionid');
      const consent = state.consents.find((one) => one.id === id);
      if (!consent) throw new Error('no such consent');
      const all = accountsOf(context, consent.bank).map(({ hash }) => hash);
      return decide(context, consent, action, chosen ?? all);
    },
  };
}

function answer(context: Context, request: Request): Answer {
  const caller = callerOf(request, context.state.applications, context.clock.now());
  if (!caller) return refusal(401, 'UNAUTHORIZED_ACCESS', 'Unauthorized');
  // Without a code of its own.
  if (!caller.active) return json(403, { code: 403, message: 'Application is not active' });
  const route = `${request.method} ${request.path}`;
  if (route === 'GET /application') return json(200, presentApplication(caller));
  if (route === 'GET /aspsps') return listBanks(request);
  if (route === 'POST /auth') return begin(context, request, caller);
  if (route === 'POST /sessions') return open(context, request, caller);
  const [, method, kind, id = ''] =
    /^(GET|DELETE) \/(sessions|accounts)\/([^/]+)/.exec(route) ?? [];
  if (kind === 'sessions') return sessionOf(context, method ?? '', id, caller);
  const isBalance = route.endsWith('/balances');
  return kind === 'accounts' && isBalance
    ? balancesOf(context, request, id, caller)
    : refusal(404, 'NOT_FOUND', 'Not found');
}

function listBanks({ query }: Request): Answer {
  const [country, type] = [query.get('country'), query.get('psu_type')];
  const listed = banks.filter(
    (one) => one.country === country && (type === null || one.psuTypes.includes(type)),
  );
  return json(200, { aspsps: listed.map(presentBank) });
}

function begin(
  { state, clock, saved, url: ownUrl }: Context,
  request: Request,
  caller: Application,
): Answer {
  const {
    access,
    aspsp,
    psu_type: psuType,
    state: nonce,
    redirect_url: redirectUrl,
  } = JSON.parse(request.text);
  const bank = banks.find((one) => one.name === aspsp?.name && one.country === aspsp?.country);
  if (!bank) return refusal(400, 'WRONG_ASPSP_PROVIDED', 'Wrong ASPSP');
  if (!caller.redirectUrls.includes(redirectUrl)) {
    return refusal(422, 'REDIRECT_URI_NOT_ALLOWED', 'Redirect URI not allowed');
  }
  if (!bank.psuTypes.includes(psuType)) return wrong('psu_type is none of this bank');
  if (typeof nonce !== 'string' || nonce === '') return wrong('state is missing');
  if (!moment.test(access?.valid_until)) return wrong('valid_until is no moment');
  const [now, until] = [clock.now().getTime(), Date.parse(access.valid_until)];
  if (!(until > now)) return wrong('valid_until is past');
  if (until > now + bank.longestSeconds * 1000) return wrong('valid_until is too far');
  const consent: Consent = {
    ...{ id: randomUUID(), applicationId: caller.id, bank: bank.name, state: nonce },
    ...{ validUntil: new Date(until).toISOString(), redirectUrl, code: null, accounts: [] },
  };
  state.consents.push(consent);
  if (state.consents.length > 200) state.consents.shift();
  saved.changed();
  const url = `${ownUrl()}/welcome?sessionid=${consent.id}`;
  return json(200, { url, authorization_id: consent.id, psu_id_hash: 'hash' });
}

function welcome(context: Context, request: Request): Answer {
  const { state } = context;
  const id = request.query.get('sessionid');
  const consent = state.consents.find((one) => one.id === id);
  if (!consent) return refusal(404, 'NOT_FOUND', 'Not found');
  if (request.method !== 'POST') {
    const owner = state.applications.find((one) => one.id === consent.applicationId);
    return consentPage(consent, owner, accountsOf(context, consent.bank));
  }
  if (!isFromOwnPage(request)) return refusal(403, 'ACCESS_DENIED', 'Forbidden');
  const form = new URLSearchParams(request.text);
  return redirect(decide(context, consent, form.get('action'), form.getAll('account')));
}

function accountsOf({ state }: Context, bank: string): Account[] {
  return state.accounts.filter((one) => one.bank === bank);
}

function decide(
  { saved }: Context,
  consent: Consent,
  action: string | null,
  chosen: string[],
): string {
  const back = new URL(consent.redirectUrl);
  back.searchParams.set('state', consent.state);
  if (action !== 'allow') {
    back.searchParams.set('error', action === 'refuse' ? 'access_denied' : 'server_error');
    back.searchParams.set('error_description', 'The consent was not given');
    return back.href;
  }
  consent.code = randomBytes(16).toString('hex');
  consent.accounts = chosen;
  saved.changed();
  back.searchParams.set('code', consent.code);
  return back.href;
}

function open({ state, saved, closesOld }: Context, request: Request, caller: Application): Answer {
  const { code } = JSON.parse(request.text);
  const consent = state.consents.find(
    (one) => one.code === code && one.applicationId === caller.id,
  );
  if (!consent || !code) return refusal(422, 'WRONG_AUTHORIZATION_CODE', 'Wrong code');
  consent.code = null;
  if (consent.accounts.length === 0) return refusal(422, 'NO_ACCOUNTS_ADDED', 'No accounts');
  for (const session of closesOld ? state.sessions : []) {
    if (session.bank === consent.bank) session.status = 'CLOSED';
  }
  const session: Session = {
    ...{ id: randomUUID(), applicationId: caller.id, bank: consent.bank, status: 'AUTHORIZED' },
    validUntil: consent.validUntil,
    uids: consent.accounts.map((account) => ({ uid: randomUUID(), account })),
  };
  state.sessions.push(session);
  saved.changed();
  const accounts = session.uids.flatMap(({ uid, account }) => {
    const found = state.accounts.find(({ hash }) => hash === account);
    return found ? [presentAccount(found, uid)] : [];
  });
  return json(200, { session_id: session.id, ...presentSession(session), accounts });
}

function sessionOf(context: Context, method: string, id: string, caller: Application): Answer {
  const { state, saved } = context;
  const session = state.sessions.find((one) => one.id === id && one.applicationId === caller.id);
  if (!session) return refusal(404, 'SESSION_DOES_NOT_EXIST', 'No such session');
  const status = statusOf(context, session);
  if (method === 'DELETE') {
    if (status !== 'AUTHORIZED') return refusal(400, 'CLOSED_SESSION', 'Closed session');
    session.status = 'CLOSED';
    saved.changed();
    return json(200, { message: 'OK' });
  }
  return json(200, {
    ...{ ...presentSession(session), status },
    accounts: session.uids.map(({ uid }) => uid),
    accounts_data: session.uids.map(({ uid, account }) => ({
      uid,
      identification_hash: account,
    })),
  });
}

function balancesOf(context: Context, request: Request, uid: string, caller: Application): Answer {
  const { state, clock, saved } = context;
  const session = state.sessions.find(
    (one) => one.applicationId === caller.id && one.uids.some((known) => known.uid === uid),
  );
  const hash = session?.uids.find((known) => known.uid === uid)?.account;
  const account = state.accounts.find((one) => one.hash === hash);
  if (!session || !account) return refusal(404, 'ACCOUNT_DOES_NOT_EXIST', 'No such account');
  const status = statusOf(context, session);
  if (status !== 'AUTHORIZED') return refusal(401, `${status}_SESSION`, 'Not authorized');
  const answer = answerBalances(request, account, new Date(state.startedAt), clock.now());
  saved.changed();
  return answer ?? refusal(400, account.error ?? 'ASPSP_ERROR', 'Error interacting with ASPSP');
}

function statusOf({ clock }: Context, { status, validUntil }: Session): Session['status'] {
  const isOver = clock.now().getTime() >= Date.parse(validUntil);
  return status === 'AUTHORIZED' && isOver ? 'EXPIRED' : status;
}

function presentApplication({ id, name, active, redirectUrls, services }: Application): object {
  return {
    ...{ name, description: null, kid: id, environment: 'PRODUCTION', redirect_urls: redirectUrls },
    ...{ active, countries: ['FR', 'BE'], services },
  };
}

function presentSession({ bank, validUntil }: Session): object {
  return {
    aspsp: { name: bank, country: banks.find(({ name }) => name === bank)?.country },
    psu_type: 'personal',
    access: { valid_until: validUntil, balances: true, transactions: false },
  };
}

/** An error of Enable Banking: its code is in `error`. */
function refusal(code: number, error: string, message: string): Answer {
  return json(code, { code, message, error, detail: { message } });
}

function wrong(message: string): Answer {
  return refusal(422, 'WRONG_REQUEST_PARAMETERS', message);
}

/** RFC 3339, with its offset. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const shapes: FaultShapes = {
  error: (code = 'ACCESS_DENIED', { status }) =>
    refusal(typeof status === 'number' ? status : 403, code, ''),
  tooMany: (seconds) =>
    withRetryAfter(
      refusal(429, 'ASPSP_RATE_LIMIT_EXCEEDED', 'Allowed number of accesses exceeded'),
      seconds,
    ),
  failure: (status) => refusal(status, 'INTERNAL_ERROR', 'Internal error'),
};
