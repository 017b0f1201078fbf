import type { Locator, Page, Route } from '@playwright/test';
import type { BankAccount, BankItem } from '../../src/shared/contract/banks.ts';
import { expectNoLayoutShift } from '../screens/layout.ts';
import { fontaine } from './support/chat.ts';
import type { Person } from './support/person.ts';
import { expect, test } from './support/test.ts';

// Motion is part of what is tested.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('what comes while the page loads moves nothing', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await page.setViewportSize({ width: 412, height: 823 });
  await openAs(person);
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toBeVisible();
  await expectNoLayoutShift(page, 'nothing yet');
  await bank.link(person);
  await person.addMessenger(await chat.install());
  for (const viewport of [
    { width: 412, height: 823 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    // The steps stand above the notifications, and their file may come after these.
    const held = await holdEach(page, { steps: /FirstSteps-.*\.js/ });
    await page.reload();
    const cards = page.getByRole('article', { includeHidden: true });
    await expect(cards).toHaveCount(2);
    await nextFrame(page);
    const waiting = await topOf(cards.last());
    await held.steps.continue();
    await expect(page.getByRole('article')).toHaveCount(2);
    // Their place was kept as high as steps are, not as high as the cards were the last time.
    const shown = await topOf(cards.last());
    expect(Math.abs(shown - waiting), `${viewport.width} px`).toBeLessThan(250);
    await expect(page.getByText('Évolution dès demain')).toBeVisible();
    await expectNoLayoutShift(page, `${viewport.width} px`);
  }
});

/** Of what may still be hidden. */
function topOf(element: Locator): Promise<number> {
  return element.evaluate((one) => one.getBoundingClientRect().top);
}

test('a reading that comes late or fails moves nothing that is on screen', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  for (const providerId of [10_001, 10_002, 10_003]) await bank.link(person, { providerId });
  // It is stored once it was read.
  await person.call('GET', '/bridge/items');
  await page.setViewportSize({ width: 320, height: 700 });
  const calls = { fresh: /items\?fresh=1/, trends: /balances/, link: /items\/connect/ };
  const held = await holdEach(page, calls);
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(3);
  await held.trends.continue();
  await expect(page.getByText('Évolution dès demain')).toBeVisible();
  const refusal = { status: 503, json: { statusCode: 503, code: 'Any', message: 'Plus tard.' } };
  await held.link.fulfill(refusal);
  await held.fresh.fulfill(refusal);
  await expect(page.getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
  await expectNoLayoutShift(page, 'a failed reading over stored banks');
});

test('a reading that is stored between the answers of banks and of accounts moves nothing', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await person.call('GET', '/bridge/items?fresh=1');
  const isHeld = Promise.withResolvers<void>();
  await page.route(/items\?fresh=1/, async (route) => {
    await isHeld.promise;
    await route.continue();
  });
  await page.route(/accounts\?.*stored=1/, (route) => route.fulfill({ json: [] }), { times: 1 });
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person);
  const total = page.getByRole('region', { name: 'Trésorerie' });
  await expect(total).toBeVisible();
  await expectNoLayoutShift(page, 'banks before their accounts');
  isHeld.resolve();
});

test('a failure that comes together with the stored banks is told over them', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await person.call('GET', '/bridge/items?fresh=1');
  const refusal = { status: 503, json: { statusCode: 503, code: 'Any', message: 'Plus tard.' } };
  await page.route(/items\?fresh=1/, (route) => route.fulfill(refusal));
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person);
  await expect(page.getByText("Vos banques n'ont pas pu être actualisées.")).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expectNoLayoutShift(page, 'a failure with what was stored');
});

test('a first reading that takes long pushes nothing away', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person);
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 320, height: 700 });
  const held = await holdEach(page, { fresh: /items\?fresh=1/ });
  await page.route(/items\?stored=1/, (route) => route.fulfill({ json: [] }));
  await openAs(person);
  const card = page.getByRole('article', { includeHidden: true });
  await expect(card).toHaveCount(1);
  // Longer than an eye waits.
  await page.waitForFunction(() => performance.now() > 2_500);
  await held.fresh.continue();
  await expect(card).toHaveCount(2);
  await expectNoLayoutShift(page, 'a slow first reading');
});

test('banks that are read after others push nothing away at a first visit', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await bank.link(person);
  await bank.link(person, { providerId: 601 });
  // These two are stored; the third brings a bar on a later visit, and a row of cards at once.
  await person.call('GET', '/bridge/items?fresh=1');
  await bank.link(person, { providerId: 602 });
  for (const viewport of [
    { width: 412, height: 823 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    const stored = await fetchStored(person);
    const held = await holdEach(page, { fresh: /items\?fresh=1/ });
    await page.route(/stored=1/, async (route) => {
      const path = new URL(route.request().url()).pathname;
      await route.fulfill({ json: path.endsWith('/items') ? stored.items : stored.accounts });
    });
    await openAs(person);
    await expect(page.getByText('Évolution dès demain')).toBeVisible();
    await expect(page.getByRole('article', { includeHidden: true })).toHaveCount(3);
    await page.unroute(/stored=1/);
    await held.fresh.continue();
    await expect(page.getByRole('article')).toHaveCount(4);
    await expectNoLayoutShift(page, `${viewport.width} px`);
    await page.unrouteAll();
  }
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Sur cette page' })).toBeVisible();
});

/** What the server shows of the first two banks while it asks for more. */
async function fetchStored(person: Person) {
  const items = await person.call<BankItem[]>('GET', '/bridge/items?stored=1');
  const two = items.slice(0, 2);
  const accounts = await person.call<BankAccount[]>(
    'GET',
    '/bridge/accounts?types[]=checking&stored=1',
  );
  const isOfThem = ({ item }: BankAccount) => two.some(({ id }) => id === item.id);
  return { items: two, accounts: accounts.filter(isOfThem) };
}

/** What is there now has been drawn. */
function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** The first call to each of these addresses, unanswered until the test answers it. */
async function holdEach<Name extends string>(page: Page, addresses: Record<Name, RegExp>) {
  const held = {} as Record<Name, Pick<Route, 'continue' | 'fulfill'>>;
  for (const name of Object.keys(addresses) as Name[]) {
    const first = Promise.withResolvers<Route>();
    let asked = false;
    await page.route(addresses[name], async (route) => {
      if (asked) return route.continue();
      asked = true;
      first.resolve(route);
    });
    held[name] = {
      continue: async () => (await first.promise).continue(),
      fulfill: async (answer) => (await first.promise).fulfill(answer),
    };
  }
  return held;
}

test('on a slow machine and line nothing moves either, at the first visit and the next', async ({
  page,
  person,
  bank,
  chat,
  clock,
  openAs,
}) => {
  const now = await clock.now();
  for (const [index, providerId] of [574, 601, 602, 603].entries()) {
    const { accounts } = await bank.link(person, { providerId });
    if (index === 0) await bank.history(person, accounts, [300, 250, -120], now);
  }
  // All are stored: a total of some of them has other words, which may take one line more.
  await person.call('GET', '/bridge/items');
  await person.addMessenger(await chat.install());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const rate = 50 * 1024;
  const line = { latency: 150, downloadThroughput: rate, uploadThroughput: rate };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  const visited = async (where: string) => {
    await expect(page.getByRole('article')).toHaveCount(5);
    await expect(
      page.getByText("Soldes d'hier inconnus").or(page.getByText('depuis hier')).first(),
    ).toBeVisible();
    await expect(page.getByText('Ajouter une banque')).toBeVisible();
    await expectNoLayoutShift(page, where);
  };
  await page.setViewportSize({ width: 412, height: 823 });
  await openAs(person);
  await visited('a first visit on a phone');
  await page.reload();
  await visited('the next one');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.reload();
  await visited('a desktop');
  await devtools.detach();
});
