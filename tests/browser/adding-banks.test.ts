import type { Page, Route } from '@playwright/test';
import { boxOf } from './support/boxes.ts';
import { bankCards, words } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const connect = '**/api/bridge/items/connect';
const addButton = (page: Page) => page.getByRole('button', { name: 'Ajouter une banque' });
const addLink = (page: Page) => page.getByRole('link', { name: 'Ajouter une banque' });

/** The next call for an address, which waits for the test. */
async function holdNextAddress(page: Page): Promise<{ asked: Promise<Route> }> {
  const held = Promise.withResolvers<Route>();
  await page.route(connect, (route) => held.resolve(route), { times: 1 });
  return { asked: held.promise };
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

test('Ajouter une banque leads out of the app to the address that was obtained', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person);
  const link = addLink(page);
  await expect(link).toHaveAttribute('href', new RegExp(`^${demo.bankUrl}/`));
  await link.click();
  await expect(page).toHaveURL(new RegExp(`^${demo.bankUrl}/`));
});

test('the way to a bank is there at once: pressed before its address came, it leads there', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const asked = Promise.withResolvers<Route>();
  let calls = 0;
  await page.route(connect, (route) => {
    calls += 1;
    asked.resolve(route);
  });
  const other = page.getByRole('button', { name: 'Autre banque ou relevé' });
  const button = addButton(page);
  await openAs(person);
  await expect(button).toBeVisible();
  await button.focus();
  const before = await boxOf(other);
  await (await asked.promise).continue();
  await expect(addLink(page)).toBeFocused();
  expect(await boxOf(other)).toEqual(before);

  const again = Promise.withResolvers<Route>();
  await page.unrouteAll();
  await page.route(connect, (route) => {
    calls += 1;
    again.resolve(route);
  });
  await page.reload();
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await (await again.promise).continue();
  await expect(page).toHaveURL(new RegExp(`^${demo.bankUrl}/`));
  // The press waited for the call that was under way.
  expect(calls).toBe(2);
});

test('the address may come during a press, which leads there', async ({
  page,
  context,
  person,
  demo,
  openAs,
}) => {
  const session = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const press = {
    mouse: { begin: () => page.mouse.down(), end: () => page.mouse.up() },
    'space bar': { begin: () => page.keyboard.down(' '), end: () => page.keyboard.up(' ') },
    finger: {
      begin: (at: { x: number; y: number }) => touch('touchStart', [at]),
      end: () => touch('touchEnd', []),
    },
  };
  for (const [name, { begin, end }] of Object.entries(press)) {
    await test.step(name, async () => {
      const { asked } = await holdNextAddress(page);
      await openAs(person);
      await addButton(page).hover();
      await addButton(page).focus();
      const { x, y } = await boxOf(addButton(page));
      await begin({ x: x + 20, y: y + 20 });
      const answered = page.waitForResponse(connect);
      await (await asked).continue();
      await (await answered).finished();
      await nextFrame(page);
      await end();
      await expect(page).toHaveURL(new RegExp(`^${demo.bankUrl}/`));
    });
  }
  await test.step('given up, it leaves the link', async () => {
    const { asked } = await holdNextAddress(page);
    await openAs(person);
    await addButton(page).hover();
    await page.mouse.down();
    await (await asked).continue();
    await page.mouse.move(0, 0);
    await expect(addLink(page)).toBeVisible();
    await page.mouse.up();
  });
});

test('a press whose address no longer serves leads nowhere', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  const left: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(demo.bankUrl)) left.push(request.url());
  });
  const failure = page.getByText(words.failed);
  const leave = async () => {
    await page.getByRole('link', { name: 'Mon compte' }).click();
    await expect(page.getByRole('heading', { name: 'Mon compte' })).toBeVisible();
    await nextFrame(page);
    await expect(failure).toHaveCount(0);
    expect(left).toEqual([]);
  };
  await test.step('the person went to another page before the first address came', async () => {
    await holdNextAddress(page);
    await openAs(person);
    await addButton(page).click();
    await leave();
  });
  await test.step('or while an expired one was renewed', async () => {
    await openAs(person);
    await expect(addLink(page)).toBeVisible();
    const { asked } = await holdNextAddress(page);
    await page.clock.setSystemTime(Date.now() + 6 * 60_000);
    await addLink(page).click();
    await asked;
    await leave();
  });
  await test.step('what came is no address of the web', async () => {
    await page.route(connect, (route) => route.fulfill({ json: { redirect_url: 'data:,' } }));
    await openAs(person);
    await addButton(page).click();
    await expect(failure).toBeVisible();
    expect(left).toEqual([]);
  });
});

test('without a connect address there is no add link, and the banks are there all the same', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await bank.fail({ match: 'connect-sessions', kind: 'status', status: 503 });
  const refused = page.waitForResponse((answer) => answer.url().includes('/items/connect'));
  await openAs(person);
  expect((await refused).status()).toBe(503);
  await expect(bankCards(page)).toBeVisible();
  await expect(addLink(page)).toHaveCount(0);
  // In its place, a press asks again, and tells why nothing comes of it.
  await addButton(page).click();
  await expect(page.getByText('Le service bancaire ne répond pas')).toBeVisible();
});
