import { expect } from '@playwright/test';
import { send } from './api.ts';
import type { Demonstration } from './demonstration.ts';
import type { Person } from './person.ts';

/** The demonstration's bank, moved from behind. */
export interface Bank {
  /** Links a bank at once, as that login name would through Connect. */
  link(person: Person, options?: { login?: string; providerId?: number }): Promise<Linked>;
  /** Fields to put into every answer about one account; null leaves one out. */
  setAccount(accountId: number, fields: Record<string, unknown>): Promise<void>;
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
