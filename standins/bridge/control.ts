import { randomUUID } from 'node:crypto';
import type { ControlRoutes } from '../service/control.ts';
import type { RequestRecord } from '../service/request.ts';
import { tellOfRefresh } from './events.ts';
import { type Fault, matched } from './faults.ts';
import { applyLogin, createItem, statusAt } from './items.ts';
import type { ListHabits, Standin } from './standin.ts';
import { accountsOf, type Item, itemsOf, nextId } from './state.ts';
import { findByExternal, forgetUser } from './users.ts';

/** How tests reach behind the stand-in. The same by HTTP under `/_control/`. */
export interface Control {
  /** Links a bank as a person would through Connect, and ends its first refresh at once. */
  link(given: { externalUserId: string; login?: string; providerId?: number }): number;
  /** What a person's repair with another login would do. */
  repair(itemId: number, login: string): void;
  setItem(itemId: number, change: Partial<Item>): void;
  /** Fields to put into every answer about this account; null leaves one out. */
  setAccount(accountId: number, fields: Record<string, unknown>): void;
  /** Gives an item these accounts in place of its own, with no field beside those given. */
  replaceAccounts(itemId: number, rows: Record<string, unknown>[]): void;
  /** The awkward rows that real banks produce. */
  addNastyRows(itemId: number): void;
  items(externalUserId: string): { id: number; status: number; accounts: number[] }[];
  /** Makes a user of this name, as an earlier life of the product would have. */
  addUser(externalUserId: string): void;
  forgetUser(externalUserId: string): void;
  expireTokens(): void;
  /** Where events go from now on; null for nowhere. Secrets newest first. */
  setWebhook(webhook: { url: string; secrets: string[] } | null): void;
  setLists(change: Partial<ListHabits>): void;
  addFault(fault: Fault): void;
  clearFaults(): void;
  requests(): RequestRecord[];
  clearRequests(): void;
  /** When every webhook sent so far was delivered. */
  settled(): Promise<void>;
}

/** `breakStalled` ends the answers that a fault stopped halfway. */
export function createControl(standin: Standin, breakStalled: () => void): Control {
  return { ...dataControl(standin), ...networkControl(standin, breakStalled) };
}

type NetworkControl =
  | 'setWebhook'
  | 'setLists'
  | 'addFault'
  | 'clearFaults'
  | 'requests'
  | 'clearRequests'
  | 'settled';

function dataControl(standin: Standin): Omit<Control, NetworkControl> {
  const { state, changed } = standin;
  const now = () => standin.options.clock.now();
  const userOf = (externalUserId: string) => {
    const user = findByExternal(state, externalUserId);
    if (!user) throw new Error(`no user ${externalUserId}`);
    return user;
  };
  const itemOf = (id: number) => {
    const item = state.items[id];
    if (!item) throw new Error(`no item ${id}`);
    return item;
  };
  return {
    link({ externalUserId, login = 'success', providerId = 574 }) {
      const userUuid = userOf(externalUserId).uuid;
      const item = createItem(state, { userUuid, providerId, login, syncMs: 0, now: now() });
      changed();
      tellOfRefresh(standin, item, true);
      return item.id;
    },
    repair(itemId, login) {
      applyLogin(state, itemOf(itemId), { login, syncMs: 0, now: now() });
      changed();
    },
    setItem(itemId, change) {
      Object.assign(itemOf(itemId), change);
      changed();
    },
    setAccount(accountId, fields) {
      const account = state.accounts[accountId];
      if (!account) throw new Error(`no account ${accountId}`);
      Object.assign(account.override, fields);
      changed();
    },
    addNastyRows(itemId) {
      addNastyRows(standin, itemOf(itemId));
      changed();
    },
    replaceAccounts(itemId, rows) {
      const item = itemOf(itemId);
      for (const { id } of accountsOf(state, item.id)) delete state.accounts[id];
      for (const row of rows) addAccount(standin, item, { ...noFields, ...row });
      changed();
    },
    items: (externalUserId) =>
      itemsOf(state, userOf(externalUserId).uuid).map((item) => ({
        id: item.id,
        status: statusAt(item, now()),
        accounts: accountsOf(state, item.id).map(({ id }) => id),
      })),
    addUser(externalUserId) {
      const uuid = randomUUID();
      state.users[uuid] = { uuid, externalUserId };
      changed();
    },
    forgetUser(externalUserId) {
      forgetUser(state, userOf(externalUserId).uuid);
      changed();
    },
    expireTokens() {
      state.tokens = {};
      changed();
    },
  };
}

function networkControl(standin: Standin, breakStalled: () => void): Pick<Control, NetworkControl> {
  return {
    setWebhook(webhook) {
      standin.options.webhook = webhook;
    },
    setLists: (change) => void Object.assign(standin.lists, change),
    addFault: (fault) => standin.faults.add(matched(fault)),
    clearFaults() {
      standin.faults.clear();
      breakStalled();
    },
    requests: () => standin.requests,
    clearRequests() {
      standin.requests.length = 0;
    },
    settled: () => standin.webhooks.settled(),
  };
}

/** Each as the reference describes it: shared or not, dated or not, of a bank that the list lacks. */
function addNastyRows(standin: Standin, item: Item): void {
  item.withoutZ = true;
  const rows: Record<string, unknown>[] = [
    { name: 'Compte non partagé', data_access: 'disabled' },
    { name: 'Prêt immobilier', type: 'loan', balance: 152_000.5, accounting_balance: null },
    { name: 'Compte étranger', provider_id: 99_999, balance: 0.1 + 0.2 },
    { name: 'Objet bancaire', type: 'tontine', balance: null, accounting_balance: null },
    { name: 'Compte sans date', updated_at: null, iban: null },
    { name: 'Compte en yens', currency_code: 'JPY', balance: 1500 },
    { name: 'Compte sans zone', updated_at: '2026-01-02T03:04:05.000000' },
    { name: 'Compte découvert', balance: -0 },
  ];
  for (const override of rows) addAccount(standin, item, override);
}

function addAccount({ state }: Standin, item: Item, override: Record<string, unknown>): void {
  const id = nextId(state);
  state.accounts[id] = {
    id,
    itemId: item.id,
    name: '',
    type: 'checking',
    baseCents: 10_000,
    swingCents: 100,
    iban: null,
    shared: true,
    pro: false,
    hasAccountingBalance: false,
    override,
  };
}

/** Leaves out everything that an account has without being told. */
const noFields = {
  balance: null,
  updated_at: null,
  last_refresh_status: null,
  provider_id: null,
  data_access: null,
  pro: null,
};

/** `POST /_control/<name>` with the arguments of `Control`, by name. Answers `{ result }`. */
export function controlRoutes(control: Control): ControlRoutes {
  const named: Record<string, (body: Body) => unknown> = {
    link: (body) => control.link(body as Parameters<Control['link']>[0]),
    repair: ({ itemId, login }) => control.repair(Number(itemId), String(login)),
    setItem: ({ itemId, change }) => control.setItem(Number(itemId), change as Body),
    setAccount: ({ accountId, fields }) => control.setAccount(Number(accountId), fields as Body),
    replaceAccounts: ({ itemId, rows }) => control.replaceAccounts(Number(itemId), rows as Body[]),
    addNastyRows: ({ itemId }) => control.addNastyRows(Number(itemId)),
    items: ({ externalUserId }) => control.items(String(externalUserId)),
    addUser: ({ externalUserId }) => control.addUser(String(externalUserId)),
    forgetUser: ({ externalUserId }) => control.forgetUser(String(externalUserId)),
    expireTokens: () => control.expireTokens(),
    setWebhook: ({ webhook }) =>
      control.setWebhook(webhook as Parameters<Control['setWebhook']>[0]),
    setLists: (body) => control.setLists(body),
    addFault: (body) => control.addFault(body as unknown as Fault),
    clearFaults: () => control.clearFaults(),
    requests: () => control.requests(),
    clearRequests: () => control.clearRequests(),
  };
  return Object.fromEntries(
    Object.entries(named).map(([name, run]) => [
      `POST ${name}`,
      async (body: Body) => ({ result: (await run(body)) ?? null }),
    ]),
  );
}

type Body = Record<string, unknown>;
