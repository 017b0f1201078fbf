import { tellOfRefresh } from './events.ts';
import type { Fault } from './faults.ts';
import { applyLogin, createItem, statusAt } from './items.ts';
import type { ListEnd } from './lists.ts';
import type { Standin } from './server.ts';
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
  /** The awkward rows that real banks produce. */
  addNastyRows(itemId: number): void;
  items(externalUserId: string): { id: number; status: number; accounts: number[] }[];
  forgetUser(externalUserId: string): void;
  expireTokens(): void;
  /** Where events go from now on; null for nowhere. Secrets newest first. */
  setWebhook(webhook: { url: string; secrets: string[] } | null): void;
  setLists(change: { end?: ListEnd; maxPage?: number }): void;
  addFault(fault: Fault): void;
  clearFaults(): void;
  requests(): Standin['requests'];
  clearRequests(): void;
  /** When every webhook sent so far was delivered. */
  settled(): Promise<void>;
}

export function createControl(standin: Standin): Control {
  return { ...dataControl(standin), ...networkControl(standin) };
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
  const { state, changed } = standin.store;
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
    items: (externalUserId) =>
      itemsOf(state, userOf(externalUserId).uuid).map((item) => ({
        id: item.id,
        status: statusAt(item, now()),
        accounts: accountsOf(state, item.id).map(({ id }) => id),
      })),
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

function networkControl(standin: Standin): Pick<Control, NetworkControl> {
  return {
    setWebhook(webhook) {
      standin.options.webhook = webhook;
    },
    setLists({ end, maxPage }) {
      if (end) standin.listEnd = end;
      if (maxPage) standin.maxPage = maxPage;
    },
    addFault(fault) {
      standin.faults.push({ ...fault });
    },
    clearFaults() {
      standin.faults.length = 0;
    },
    requests: () => standin.requests,
    clearRequests() {
      standin.requests.length = 0;
    },
    settled: () => standin.webhooks.settled(),
  };
}

/** Each as the reference describes it: shared or not, dated or not, of a bank nobody lists. */
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
  for (const override of rows) {
    const id = nextId(standin.store.state);
    standin.store.state.accounts[id] = {
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
}
