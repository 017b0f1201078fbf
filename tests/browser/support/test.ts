import { test as base, expect } from '@playwright/test';
import { type Bank, bankOf } from './bank.ts';
import { type Chat, chatOf } from './chat.ts';
import { clockOf, type DemoClock } from './clock.ts';
import { type Demonstration, startDemonstration } from './demonstration.ts';
import { createPerson, type Person } from './person.ts';

export { expect };

interface Fixtures {
  /** Somebody new, with an account. */
  person: Person;
  bank: Bank;
  chat: Chat;
  clock: DemoClock;
  /** Opens the application as somebody who signed in earlier, on `/` unless told otherwise. */
  openAs(person: Person, path?: string): Promise<void>;
  /** Nothing may be asked of any machine but this one. */
  loopbackOnly: null;
}

interface WorkerFixtures {
  /** Files that name another demonstration than their neighbours get one to themselves. */
  demoName: string;
  demo: Demonstration;
}

/** A demonstration that outlives the file, and everything a test needs around it. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  demoName: ['shared', { option: true, scope: 'worker' }],
  demo: [
    async ({ demoName: _name }, use) => {
      const demo = await startDemonstration();
      await use(demo);
      await demo.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.url),
  person: async ({ demo }, use) => use(await createPerson(demo)),
  bank: async ({ demo }, use) => {
    const bank = bankOf(demo);
    await use(bank);
    await bank.recover();
  },
  chat: async ({ demo }, use) => {
    const chat = chatOf(demo);
    await use(chat);
    await chat.recover();
  },
  clock: async ({ demo }, use) => use(clockOf(demo)),
  openAs: async ({ page, context, demo }, use) =>
    use(async ({ token }, path = '/') => {
      const localStorage = [{ name: 'tirelire.token', value: token }];
      await context.setStorageState({ cookies: [], origins: [{ origin: demo.url, localStorage }] });
      await page.goto(path);
    }),
  loopbackOnly: [
    async ({ context }, use) => {
      const strangers: string[] = [];
      context.on('request', (request) => {
        const { protocol, hostname, href } = new URL(request.url());
        const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
        if (protocol.startsWith('http') && !isHere) strangers.push(href);
      });
      await use(null);
      expect(strangers, 'requests to other machines').toEqual([]);
    },
    { auto: true },
  ],
});
