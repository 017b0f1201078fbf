import { expect } from '@playwright/test';
import type { BankAccount } from '../../../src/shared/contract/banks.ts';
import { send } from './api.ts';
import type { Demonstration } from './demonstration.ts';
import type { Person } from './person.ts';

/** The demonstration's bank, moved from behind. */
export interface Bank {
  /** Links a bank at once, as that login name would through Connect. */
  link(person: Person, options?: { login?: string; providerId?: number }): Promise<Linked>;
  /** Fields to put into every answer about one account; null leaves one out. */
  setAccount(accountId: number, fields: Record<string, unknown>): Promise<void>;
  /** What each of these accounts held on the last days, today's last, each day read as it comes. */
  history(person: Person, accounts: number[], balances: number[], now: Date): Promise<void>;
  /** Gives a bank these accounts in place of its own, with no field beside those given. */
  replaceAccounts(itemId: number, rows: Record<string, unknown>[]): Promise<void>;
  setItem(itemId: number, change: Record<string, unknown>): Promise<void>;
  /** What goes wrong with the requests whose "METHOD /path" contains `match`. */
  fail(fault: Fault): Promise<void>;
  recover(): Promise<void>;
  /** Until it has taken one more request for that path. */
  nextRequest(path: string): Promise<void>;
}

export interface Linked {
  itemId: number;
  /** Its accounts' ids; the first is a checking account. */
  accounts: number[];
}

interface Fault {
  match: string;
  kind: 'status' | 'drop' | 'stall' | 'html' | 'delay';
  status?: number;
  ms?: number;
  /** For ever when left out. */
  times?: number;
}

export function bankOf({ bankUrl }: Pick<Demonstration, 'bankUrl'>): Bank {
  const control = async <Result>(name: string, ...body: unknown[]): Promise<Result> => {
    const { result } = await send<{ result: Result }>('POST', `${bankUrl}/_control/${name}`, {
      body,
    });
    return result;
  };
  return {
    async link(person, options = {}) {
      // The first need of an address makes the person known to the bank.
      await person.call('GET', '/bridge/items/connect');
      const { id: externalUserId } = await person.me();
      const itemId = await control<number>('link', { externalUserId, ...options });
      const items = await control<{ id: number; accounts: number[] }[]>('items', externalUserId);
      return { itemId, accounts: items.find(({ id }) => id === itemId)?.accounts ?? [] };
    },
    setAccount: (accountId, fields) => control('setAccount', accountId, fields),
    async history(person, accounts, balances, now) {
      let shown = 0;
      for (const [index, balance] of balances.entries()) {
        const updated_at = daysBefore(now, balances.length - 1 - index).toISOString();
        const fields = { balance, accounting_balance: balance, updated_at };
        for (const id of accounts) await control('setAccount', id, fields);
        const countRead = async () => {
          await person.call('GET', '/bridge/items?fresh=1');
          const stored = await person.call<BankAccount[]>('GET', '/bridge/accounts?stored=1');
          return stored.filter((one) => one.balance === balance && one.updated_at === updated_at)
            .length;
        };
        // A call may share a reading that began before these figures were set: the next one does not.
        if (index === 0) {
          await expect.poll(countRead, { intervals: [50] }).toBeGreaterThan(0);
          shown = await countRead();
        } else await expect.poll(countRead, { intervals: [50] }).toBe(shown);
      }
    },
    replaceAccounts: (itemId, rows) => control('replaceAccounts', itemId, rows),
    setItem: (itemId, change) => control('setItem', itemId, change),
    fail: (fault) => control('addFault', fault),
    recover: () => control('clearFaults'),
    async nextRequest(path) {
      await control('clearRequests');
      await expect(async () => {
        const taken = await control<{ path: string }[]>('requests');
        expect(taken.map((request) => request.path)).toContain(path);
      }).toPass({ intervals: [50] });
    },
  };
}

/** At noon in Paris or an hour later, so that no change of its clocks leads to another day; today is `now`. */
function daysBefore(now: Date, days: number): Date {
  if (days === 0) return now;
  const today = now.toLocaleDateString('sv', { timeZone: 'Europe/Paris' });
  return new Date(Date.parse(`${today}T11:00:00.000Z`) - days * 86_400_000);
}
