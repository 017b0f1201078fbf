import { dayMs } from '../service/durations.ts';
import { type FaultShapes, withRetryAfter } from '../service/faults.ts';
import { createFaultyApi } from '../service/faulty-api.ts';
import type { StandinOptions } from '../service/options.ts';
import { centsAt, daysBetween, stepOf } from '../service/random-walk.ts';
import { header, type Request } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import { readSaved, saveState } from '../service/saved-state.ts';
import { type Account, type Organization, openState, organization } from './state.ts';

export type QontoStandin = Awaited<ReturnType<typeof startQontoStandin>>;

/** Qonto's API for its customers' own accounts (docs.qonto.com), on this machine alone. */
export async function startQontoStandin(options: StandinOptions) {
  const { port = 0, clock, stateFile = null } = options;
  const state = openState(readSaved(stateFile), clock.now());
  const saved = saveState(stateFile, () => state);
  const api = createFaultyApi();
  const find = (slug: string): Organization => {
    const found = state.organizations.find((one) => one.slug === slug);
    if (!found) throw new Error(`no organisation ${slug}`);
    return found;
  };
  const control = {
    /** Keys and account ids, to paste and to change. */
    organizations: () => state.organizations,
    addOrganization(slug: string, name: string) {
      const rank = state.organizations.length + 1;
      const made = organization(slug, name, `cle-${slug}`, rank, clock.now());
      state.organizations.push(made);
      saved.changed();
      return made;
    },
    /** A new key cancels the old one. */
    setOrganization(slug: string, change: Partial<Omit<Organization, 'accounts'>>) {
      Object.assign(find(slug), change);
      saved.changed();
    },
    setAccount(id: string, change: Partial<Account>) {
      for (const { accounts } of state.organizations) {
        for (const account of accounts) if (account.id === id) Object.assign(account, change);
      }
      saved.changed();
    },
    ...api.control,
  };
  const answer = (request: Request): Answer => {
    const caller = state.organizations.find(
      (one) => header(request, 'authorization') === `${one.slug}:${one.secretKey}`,
    );
    if (!caller) return refusal(401, 'unauthorized', 'Invalid credentials.');
    switch (`${request.method} ${request.path}`) {
      case 'GET /v2/organization':
        return json(200, { organization: present(caller, clock.now()) });
      case 'GET /v2/transactions':
        return answerTransactions(caller, request.query, clock.now());
      default:
        return refusal(404, 'not_found', 'No such resource.');
    }
  };
  return await api.start({ port, control, saved, answer, shapes });
}

/** An error object of JSON:API: docs.qonto.com, "errors". */
function refusal(status: number, code: string, detail: string): Answer {
  return json(status, { errors: [{ code, detail }], trace_id: '018f71db' });
}

const shapes: FaultShapes = {
  error: (code = 'forbidden', { status }) =>
    refusal(typeof status === 'number' ? status : 403, code, ''),
  tooMany: (seconds) => withRetryAfter(refusal(429, 'too_many_requests', ''), seconds),
  failure: (status) => refusal(status, 'internal_server_error', ''),
};

function present(organization: Organization, now: Date): object {
  return {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    legal_name: organization.name.toUpperCase(),
    legal_country: 'FR',
    bank_accounts: organization.accounts.map((account) =>
      presentAccount(organization, account, now),
    ),
  };
}

function presentAccount(owner: Organization, account: Account, now: Date): object {
  const cents = centsAt(account, new Date(owner.createdAt), now);
  const money = {
    balance: cents / 100,
    balance_cents: cents,
    authorized_balance: (cents - 2050) / 100,
    authorized_balance_cents: cents - 2050,
  };
  return {
    id: account.id,
    slug: account.slug,
    name: account.name,
    iban: account.iban,
    bic: 'QNTOFRP1XXX',
    currency: 'EUR',
    ...(!owner.hidesMoney && money),
    status: account.status,
    main: account.main,
    updated_at: now.toISOString(),
    is_external_account: account.isExternal,
    ...account.override,
  };
}

/** One transaction a day, which is that day's step; asked for by account and day. All are completed. */
function answerTransactions(owner: Organization, query: URLSearchParams, now: Date): Answer {
  const wrong = Object.keys(parameters).find((name) => !isRight(name, query));
  if (wrong) return wrongParameter(wrong);
  const account = owner.accounts.find(({ id }) => id === query.get('bank_account_id'));
  if (!account) return refusal(404, 'not_found', 'No such bank account.');
  const since = new Date(query.get('settled_at_from') ?? 0);
  const from = new Date(owner.createdAt);
  const all = Array.from({ length: daysBetween(from, now) }, (_item, index) =>
    transaction(account, index + 1, from),
  );
  const states = query.getAll('status[]');
  const wanted = all.filter(
    ({ status, settled_at }) =>
      (states.length === 0 || states.includes(status)) && new Date(settled_at) >= since,
  );
  if (query.get('sort_by') !== 'settled_at:asc') wanted.reverse();
  const size = Number(query.get('per_page') ?? 100);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(wanted.length / size));
  if (page > pages) return wrongParameter('page');
  return json(200, {
    transactions: wanted.slice((page - 1) * size, page * size),
    meta: { current_page: page, next_page: page < pages ? page + 1 : null, total_pages: pages },
  });
}

/** What each of them may be: docs.qonto.com, "list transactions". */
const parameters: Record<string, (value: string) => boolean> = {
  bank_account_id: (value) => value !== '',
  'status[]': (value) => ['completed', 'pending', 'declined'].includes(value),
  settled_at_from: (value) => !Number.isNaN(Date.parse(value)),
  sort_by: (value) => /^settled_at:(asc|desc)$/.test(value),
  page: (value) => /^[1-9]\d{0,8}$/.test(value),
  per_page: (value) => /^([1-9]\d?|100)$/.test(value),
};

function isRight(name: string, query: URLSearchParams): boolean {
  const values = query.getAll(name);
  const isMissing = values.length === 0 && name === 'bank_account_id';
  return !isMissing && values.every((value) => parameters[name]?.(value));
}

function wrongParameter(parameter: string): Answer {
  const error = { code: 'invalid', detail: `Wrong ${parameter}.`, source: { parameter } };
  return json(422, { errors: [error], trace_id: '018f71db' });
}

function transaction(account: Account, day: number, from: Date) {
  const cents = stepOf(account, day);
  const settled = new Date(from.getTime() + day * dayMs);
  settled.setUTCHours(8, 0, 0, 0);
  return {
    id: `${account.id}-${day}`,
    transaction_id: `${account.slug}-transaction-${day}`,
    amount: Math.abs(cents) / 100,
    amount_cents: Math.abs(cents),
    currency: 'EUR',
    side: cents < 0 ? 'debit' : 'credit',
    operation_type: cents < 0 ? 'card' : 'income',
    label: cents < 0 ? 'FOURNITURES DE BUREAU' : 'VIREMENT CLIENT',
    clean_counterparty_name: cents < 0 ? 'Fournitures de bureau' : 'Client',
    status: 'completed',
    settled_at: settled.toISOString(),
    bank_account_id: account.id,
  };
}
