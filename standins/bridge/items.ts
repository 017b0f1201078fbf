import { dayMs } from '../service/durations.ts';
import { frenchIban } from '../service/iban.ts';
import { descriptions, outcomeOf, planOf } from './logins.ts';
import { withoutNulls } from './responses.ts';
import { type Account, accountsOf, type Item, nextId, type State } from './state.ts';

/** A connection whose first refresh begins now. */
export function createItem(
  state: State,
  given: { userUuid: string; providerId: number; login: string; syncMs: number; now: Date },
): Item {
  const item: Item = {
    id: nextId(state),
    userUuid: given.userUuid,
    providerId: given.providerId,
    status: 0,
    statusInfo: null,
    syncing: -2,
    readyAt: '',
    createdAt: given.now.toISOString(),
    refreshedAt: null,
    frozen: false,
    authenticationExpiresAt: null,
    plan: [],
    managedAt: [],
    withoutZ: false,
    override: {},
  };
  state.items[item.id] = item;
  applyLogin(state, item, given);
  return item;
}

/** What a login makes of an item, for a new one and for one being repaired. */
export function applyLogin(
  state: State,
  item: Item,
  given: { login: string; syncMs: number; now: Date },
): void {
  const [login = '', ...rest] = planOf(given.login);
  const readyAt = new Date(given.now.getTime() + given.syncMs);
  item.plan = rest;
  item.readyAt = readyAt.toISOString();
  applyOutcome(state, item, login, readyAt);
}

/** 1100 is cleared by its form, and by nothing else. */
export function validatePro(item: Item, now: Date, syncMs: number): void {
  item.syncing = -3;
  item.status = 0;
  item.statusInfo = 'ok';
  item.readyAt = new Date(now.getTime() + syncMs).toISOString();
}

export function removeItem(state: State, item: Item): void {
  for (const account of accountsOf(state, item.id)) delete state.accounts[account.id];
  delete state.items[item.id];
}

/** Plays the days that have passed: the next login of a chain, on the morning after. */
export function applyElapsedDays(state: State, item: Item, now: Date): boolean {
  const morning = lastMorning(item, now);
  const next = morning > new Date(item.readyAt) ? item.plan[0] : undefined;
  if (next === undefined) return false;
  item.plan.shift();
  item.refreshedAt = refreshedAt(item, new Date(morning.getTime() - 1))?.toISOString() ?? null;
  const before = item.refreshedAt;
  applyOutcome(state, item, next, morning);
  if (item.frozen) item.refreshedAt = before;
  return true;
}

export function statusAt(item: Item, now: Date): number {
  return now < new Date(item.readyAt) ? item.syncing : item.status;
}

/** The daily refresh of a healthy item comes a little before six in the morning, French winter time. */
export function refreshedAt(item: Item, now: Date): Date | null {
  if (!item.refreshedAt) return null;
  const byHand = new Date(item.refreshedAt);
  const morning = lastMorning(item, now);
  return !item.frozen && morning > byHand ? morning : byHand;
}

export function presentItem(item: Item, now: Date): Record<string, unknown> & { id: number } {
  const status = statusAt(item, now);
  const isReady = status === item.status;
  const refreshed = isReady ? refreshedAt(item, now) : null;
  const tried = (refreshed ?? now).toISOString();
  return withoutNulls({
    id: item.id,
    status,
    status_code_info: isReady ? item.statusInfo : null,
    status_code_description: descriptions[status] ?? null,
    provider_id: item.providerId,
    account_types: 'payment',
    last_successful_refresh: refreshed?.toISOString() ?? null,
    last_try_refresh: item.withoutZ ? tried.replace('Z', '') : tried,
    created_at: item.createdAt,
    authentication_expires_at: item.authenticationExpiresAt,
    ...item.override,
  });
}

function applyOutcome(state: State, item: Item, login: string, at: Date): void {
  const outcome = outcomeOf(login);
  item.status = outcome.status;
  item.statusInfo = outcome.info;
  item.frozen = outcome.staleDays !== null || !outcome.hasAccounts;
  if (outcome.hasAccounts) {
    const age = (outcome.staleDays ?? 0) * dayMs;
    item.refreshedAt = new Date(at.getTime() - age).toISOString();
    addAccounts(state, item);
  }
  const renewed = outcome.status === 1010 ? at.getTime() : at.getTime() + 180 * dayMs;
  item.authenticationExpiresAt = new Date(renewed).toISOString().replace(/\.\d+/, '');
}

function addAccounts(state: State, item: Item): void {
  if (accountsOf(state, item.id).length > 0) return;
  for (const template of accountTemplates(item.providerId)) {
    const account: Account = { ...template, id: nextId(state), itemId: item.id };
    state.accounts[account.id] = account;
  }
}

type Template = Omit<Account, 'id' | 'itemId'>;

/** What a person finds at that bank. The amounts differ from one bank to the next. */
function accountTemplates(providerId: number): Template[] {
  const shift = (providerId % 97) * 1_357;
  const isBusiness = providerId === 605;
  return [
    template(isBusiness ? 'Compte courant professionnel' : 'Compte courant', 'checking', {
      baseCents: 184_236 + shift * 11,
      swingCents: 18_500,
      iban: iban(providerId, 1),
      pro: isBusiness,
    }),
    template(isBusiness ? 'Compte TVA' : 'Compte joint', 'checking', {
      baseCents: 67_205 + shift * 3,
      swingCents: 9_400,
      iban: iban(providerId, 2),
      pro: isBusiness,
      hasAccountingBalance: false,
    }),
    template('Carte à débit différé', 'card', { baseCents: -31_240 - shift, swingCents: 4_200 }),
    template('Livret A', 'savings', { baseCents: 812_000 + shift * 7, swingCents: 500 }),
  ];
}

function template(name: string, type: string, change: Partial<Template>): Template {
  return {
    name,
    type,
    baseCents: 0,
    swingCents: 1_000,
    iban: null,
    shared: true,
    pro: false,
    hasAccountingBalance: true,
    override: {},
    ...change,
  };
}

/** Its bank does not exist. */
function iban(providerId: number, rank: number): string {
  return frenchIban(
    `99${String(providerId).padStart(3, '0')}00001${String(rank).padStart(11, '0')}97`,
  );
}

function lastMorning(item: Item, now: Date): Date {
  const morning = new Date(now);
  morning.setUTCHours(4, 20 + (item.id % 40), 0, 0);
  if (morning > now) morning.setUTCDate(morning.getUTCDate() - 1);
  return morning;
}
