import { randomUUID } from 'node:crypto';
import { faultControl } from '../service/faults.ts';
import { sendRefreshEvents } from './events.ts';
import { createItem, statusAt } from './items.ts';
import { createScenarios } from './scenarios.ts';
import type { ListBehaviour, Standin } from './standin.ts';
import { accountsOf, type Item, itemsOf, nextId } from './state.ts';
import { findByExternal, forgetUser } from './users.ts';

export type Control = ReturnType<typeof createControl>;

/** How tests reach behind the stand-in; over HTTP too, under `/_control/`. */
export function createControl(standin: Standin, breakStalled: () => void) {
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
    ...createScenarios(standin),
    ...faultControl(standin.faults, standin.requests, breakStalled),
    /** Links a bank as a person would through Connect, and ends its first refresh at once. */
    link(given: { externalUserId: string; login?: string; providerId?: number }): number {
      const { externalUserId, login = 'success', providerId = 574 } = given;
      const userUuid = userOf(externalUserId).uuid;
      const item = createItem(state, { userUuid, providerId, login, syncMs: 0, now: now() });
      changed();
      sendRefreshEvents(standin, item, true);
      return item.id;
    },
    setItem(itemId: number, change: Partial<Item>) {
      Object.assign(itemOf(itemId), change);
      changed();
    },
    /** Fields to put into every answer about this account; null leaves one out. */
    setAccount(accountId: number, fields: Record<string, unknown>) {
      const account = state.accounts[accountId];
      if (!account) throw new Error(`no account ${accountId}`);
      Object.assign(account.override, fields);
      changed();
    },
    /** Transactions in place of the computed ones; those without a date are of no day. */
    setTransactions(accountId: number, rows: Record<string, unknown>[]) {
      const account = state.accounts[accountId];
      if (!account) throw new Error(`no account ${accountId}`);
      const ofAccount = { account_id: accountId, currency_code: 'EUR' };
      account.transactions = rows.map((row) => ({ ...ofAccount, ...row }));
      changed();
    },
    /** The awkward rows that real banks produce. */
    addEdgeCaseAccounts(itemId: number) {
      const item = itemOf(itemId);
      item.withoutZ = true;
      for (const row of edgeCaseAccounts) addAccount(standin, item, { ...row });
      changed();
    },
    /** Gives an item these accounts in place of its own, with no field beside those given. */
    replaceAccounts(itemId: number, rows: Record<string, unknown>[]) {
      const item = itemOf(itemId);
      for (const { id } of accountsOf(state, item.id)) delete state.accounts[id];
      for (const row of rows) addAccount(standin, item, { ...noFields, ...row });
      changed();
    },
    items: (externalUserId: string) =>
      itemsOf(state, userOf(externalUserId).uuid).map((item) => ({
        id: item.id,
        status: statusAt(item, now()),
        accounts: accountsOf(state, item.id).map(({ id }) => id),
      })),
    /** Makes a user of this name, as an earlier life of the product would have. */
    addUser(externalUserId: string) {
      const uuid = randomUUID();
      state.users[uuid] = { uuid, externalUserId };
      changed();
    },
    forgetUser(externalUserId: string) {
      forgetUser(state, userOf(externalUserId).uuid);
      changed();
    },
    expireTokens() {
      state.tokens = {};
      changed();
    },
    /** Where events go from now on; null for nowhere. Secrets newest first. */
    setWebhook(webhook: { url: string; secrets: string[] } | null) {
      standin.options.webhook = webhook;
    },
    setListBehaviour: (change: Partial<ListBehaviour>) => void Object.assign(standin.lists, change),
    /** When every webhook sent so far was delivered. */
    settled: () => standin.webhooks.settled(),
  };
}

/** Each as the reference describes it: shared or not, dated or not, of a bank that the list lacks. */
const edgeCaseAccounts: Record<string, unknown>[] = [
  { name: 'Compte non partagé', data_access: 'disabled' },
  { name: 'Prêt immobilier', type: 'loan', balance: 152_000.5, accounting_balance: null },
  { name: 'Compte étranger', provider_id: 99_999, balance: 0.1 + 0.2 },
  { name: 'Objet bancaire', type: 'tontine', balance: null, accounting_balance: null },
  { name: 'Compte sans date', updated_at: null, iban: null },
  { name: 'Compte en yens', currency_code: 'JPY', balance: 1500 },
  { name: 'Compte sans zone', updated_at: '2026-01-02T03:04:05.000000' },
  { name: 'Compte découvert', balance: -0 },
];

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
