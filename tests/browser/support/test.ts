import { test as base, expect, type Locator } from '@playwright/test';
import { type Bank, bankOf, type Linked } from './bank.ts';
import { type Chat, chatOf, fontaine } from './chat.ts';
import { clockOf, type DemoClock } from './clock.ts';
import { type DemoDatabase, type Demonstration, startDemonstration } from './demonstration.ts';
import { createPerson, type Person } from './person.ts';
import { bankCards, messengerCard } from './steps.ts';

export { expect };

interface Fixtures {
  /** Somebody new, with an account. */
  person: Person;
  bank: Bank;
  chat: Chat;
  clock: DemoClock;
  /** Opens the application as somebody who signed in earlier, on `/` unless told otherwise. */
  openAs(person: Person, path?: string): Promise<void>;
  /** Whether the page is used by a finger. After the test it is used by a mouse again. */
  touch(enabled: boolean): Promise<void>;
  /** A bank of that person. */
  linked: Linked;
  /** Its card, on their open home page. */
  bankCard: Locator;
  /** The card of a notification without a channel or a text, on the open home page. */
  newCard: Locator;
  /** That of a complete one. */
  savedCard: Locator;
  /** That of one with a bank's balances in its text, once the test has opened the home page. */
  balancesCard: Locator;
  /** Nothing may be asked of any machine but this one. */
  loopbackOnly: null;
  /** What the reuse of a context leaves from one test to the next. */
  asNew: null;
}

interface WorkerFixtures {
  /** Files that name another demonstration than their neighbours get one to themselves. */
  demoName: string;
  /** What goes before its usual settings. */
  demoSettings: Record<string, string>;
  demoDatabase: DemoDatabase;
  demo: Demonstration;
}

/** A demonstration that outlives the file, and everything a test needs around it. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  demoName: ['shared', { option: true, scope: 'worker' }],
  demoSettings: [{}, { option: true, scope: 'worker' }],
  demoDatabase: ['postgres', { option: true, scope: 'worker' }],
  demo: [
    async ({ demoName: _name, demoDatabase, demoSettings }, use) => {
      const demo = await startDemonstration(demoSettings, demoDatabase);
      await use(demo);
      await demo.stop();
    },
    { scope: 'worker', timeout: 120_000 },
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
  openAs: async ({ page }, use) =>
    use(async ({ token }, path = '/') => {
      // In the page that is opened anyway: a stored state of the context takes a tab of its own.
      const signedIn = await page.addInitScript((stored) => {
        localStorage.clear();
        localStorage.setItem('tirelire.token', stored);
      }, token);
      await page.goto(path);
      await signedIn.dispose();
    }),
  touch: async ({ page }, use) => {
    const devtools = await page.context().newCDPSession(page);
    const touch = async (enabled: boolean) => {
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled });
    };
    await use(touch);
    await touch(false);
  },
  linked: async ({ person, bank }, use) => use(await bank.link(person)),
  bankCard: async ({ page, person, linked: _linked, openAs }, use) => {
    await openAs(person);
    await use(bankCards(page));
  },
  newCard: async ({ page, person, chat, openAs }, use) => {
    await person.addMessenger(await chat.install());
    await openAs(person);
    await use(messengerCard(page));
  },
  savedCard: async ({ page, person, chat, openAs }, use) => {
    const { id } = await person.addMessenger(await chat.install());
    await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
    await openAs(person);
    await use(messengerCard(page));
  },
  balancesCard: async ({ page, person, linked: _linked, chat }, use) => {
    const { id } = await person.addMessenger(await chat.install());
    const message = 'Total {{total}}\n{{soldes}}';
    await person.changeMessenger(id, { slackChannel: fontaine.treasury, message });
    await use(messengerCard(page));
  },
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
  asNew: [
    async ({ context }, use) => {
      await use(null);
      await context.setOffline(false);
      await context.clearPermissions();
      // The reset of a page that is open empties the cache: each test would fetch all of the application anew.
      // A request that a test's own route still carries is broken off with its page, and is no fault of the test.
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      for (const page of context.pages()) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.close();
      }
    },
    { auto: true },
  ],
});
