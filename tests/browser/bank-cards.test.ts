import type { Page, Route } from '@playwright/test';
import { bankCards, remove } from './support/steps.ts';
import { openedBy } from './support/tabs.ts';
import { expect, test } from './support/test.ts';

const hour = 3_600_000;
const stale =
  'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.';

test('a bank deleted in one tab is read anew with the notifications in another', async ({
  page,
  context,
  bankCard: card,
}) => {
  const other = await context.newPage();
  await other.goto('/');
  await expect(bankCards(other)).toHaveCount(1);
  const read = other.waitForRequest(/\/users\/me$/);
  await page.bringToFront();
  await remove(card);
  await read;
  await expect(bankCards(other)).toHaveCount(0);
});

test('four accounts are all shown, and a fifth is folded until asked for', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const rowOf = (name: string) => ({
    name,
    balance: 100,
    currency_code: 'EUR',
    updated_at: new Date().toISOString(),
  });
  const names = ['Courant', 'TVA', 'Salaires', 'Réserve', 'Projet'];
  const { itemId } = await bank.link(person);
  await bank.replaceAccounts(itemId, names.slice(0, 4).map(rowOf));
  await openAs(person);
  const card = bankCards(page);
  const fold = card.getByRole('button', { expanded: false }).or(card.getByText(/^Voir /));
  await expect(card.getByRole('listitem')).toHaveCount(4);
  await expect(fold).toHaveCount(0);
  await bank.replaceAccounts(itemId, names.map(rowOf));
  await person.call('GET', '/bridge/items?fresh=1');
  await page.reload();
  await expect(fold).toHaveText("Voir l'autre compte");
  await expect(card.getByRole('listitem')).toHaveCount(4);
  await fold.click();
  await expect(card.getByRole('listitem')).toHaveCount(5);
  await card.getByRole('button', { name: 'Replier les comptes' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(4);
});

test('a card shows the bank, its checking accounts, their balances and dates', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  const twoHoursAgo = new Date((await clock.now()).getTime() - 2.2 * hour).toISOString();
  const fields = { name: 'Compte courant', balance: 1234.56, updated_at: twoHoursAgo };
  await bank.setAccount(accounts[0] ?? 0, { ...fields, accounting_balance: 1234.56 });
  await openAs(person);
  await expect(bankCards(page).getByRole('heading')).not.toBeEmpty();
  const line = bankCards(page).getByRole('listitem').first();
  await expect(line).toContainText('Compte courant\u202f: 1\u202f234,56 (EUR)');
  await expect(line).toContainText('Dernière mise à jour\u202f: il y a 2 heures');
  await expect(bankCards(page).getByText('Livret A')).toHaveCount(0);
  await expect(bankCards(page).getByText('Carte à débit différé')).toHaveCount(0);
  await expect(bankCards(page).getByText(stale)).toHaveCount(0);
  await expect(bankCards(page).getByTitle('Editer')).toBeVisible();
  await expect(bankCards(page).getByTitle('Supprimer')).toBeVisible();
});

test('what the bank kept to itself is said', async ({ page, person, bank, openAs }) => {
  const { accounts } = await bank.link(person);
  await bank.setAccount(accounts[0] ?? 0, {
    balance: null,
    accounting_balance: null,
    updated_at: null,
  });
  await bank.setAccount(accounts[1] ?? 0, {
    name: 'Compte en yens',
    currency_code: 'JPY',
    balance: -1500,
    accounting_balance: -1500,
  });
  await openAs(person);
  const lines = bankCards(page).getByRole('listitem');
  await expect(lines.filter({ hasText: 'solde non communiqué' })).toContainText('jamais');
  await expect(lines.filter({ hasText: 'Compte en yens' })).toContainText('−1\u202f500 (JPY)');
});

test('a balance that is not known leaves the age one line', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await bank.link(person, { login: 'pro' });
  await openAs(person);
  const line = bankCards(page).getByRole('listitem').first();
  await expect(line).toContainText('solde non communiqué');
  expect((await line.locator('p.note').boundingBox())?.height).toBeLessThan(25);
});

test('the orange warning comes after 2 days and not before', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  const [oldest = 0] = accounts;
  const now = (await clock.now()).getTime();
  await bank.setAccount(oldest, { updated_at: new Date(now - 47.9 * hour).toISOString() });
  await openAs(person);
  await expect(bankCards(page).getByRole('listitem').first()).toContainText('hier');
  await expect(bankCards(page).getByText(stale)).toHaveCount(0);
  await bank.setAccount(oldest, { updated_at: new Date(now - 48.1 * hour).toISOString() });
  await page.reload();
  const warning = bankCards(page).getByText(stale);
  await expect(warning).toHaveCount(1);
  const [red = 0, green = 0, blue = 0] = await warning.evaluate((element) =>
    (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number),
  );
  expect(red).toBeGreaterThan(green);
  expect(green).toBeGreaterThan(blue);
  const edit = bankCards(page).getByRole('link', { name: 'Editer', exact: true });
  await openedBy(page, edit.click());
});

test('a bank without a visible checking account keeps its card', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  for (const id of accounts) await bank.setAccount(id, { data_access: 'disabled' });
  await openAs(person);
  await expect(bankCards(page)).toContainText('Aucun compte courant visible pour cette banque.');
  await expect(bankCards(page).getByTitle('Editer')).toBeVisible();
  await expect(bankCards(page).getByTitle('Supprimer')).toBeVisible();
});

test('Ajouter une banque leads out of the app to the address that was obtained', async ({
  page,
  person,
  demo,
  openAs,
}) => {
  await openAs(person);
  const link = page.getByRole('link', { name: 'Ajouter une banque' });
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
  await page.route('**/api/bridge/items/connect', (route) => {
    calls += 1;
    asked.resolve(route);
  });
  const other = page.getByRole('button', { name: 'Autre banque ou relevé' });
  const button = page.getByRole('button', { name: 'Ajouter une banque' });
  const link = page.getByRole('link', { name: 'Ajouter une banque' });
  await openAs(person);
  await expect(button).toBeVisible();
  await button.focus();
  const before = await other.boundingBox();
  await (await asked.promise).continue();
  await expect(link).toBeFocused();
  expect(await other.boundingBox()).toEqual(before);

  const again = Promise.withResolvers<Route>();
  await page.unrouteAll();
  await page.route('**/api/bridge/items/connect', (route) => {
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

const connect = '**/api/bridge/items/connect';
const addButton = (page: Page) => page.getByRole('button', { name: 'Ajouter une banque' });
const addLink = (page: Page) => page.getByRole('link', { name: 'Ajouter une banque' });

/** The next call for an address, which waits for the test. */
async function holdNextAddress(page: Page): Promise<{ asked: Promise<Route> }> {
  const held = Promise.withResolvers<Route>();
  await page.route(connect, (route) => held.resolve(route), { times: 1 });
  return { asked: held.promise };
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

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
      const box = await addButton(page).boundingBox();
      await begin({ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 });
      const answered = page.waitForResponse(connect);
      await (await asked).continue();
      await (await answered).finished();
      await drawn(page);
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
  const failure = page.getByText("Une erreur s'est produite lors de l'opération");
  const leave = async () => {
    await page.getByRole('link', { name: 'Mon compte' }).click();
    await expect(page.getByRole('heading', { name: 'Mon compte' })).toBeVisible();
    await drawn(page);
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
  await expect(page.getByRole('link', { name: 'Ajouter une banque' })).toHaveCount(0);
  // In its place, a press asks again, and tells why nothing comes of it.
  await page.getByRole('button', { name: 'Ajouter une banque' }).click();
  await expect(page.getByText('Le service bancaire ne répond pas')).toBeVisible();
});

test('a card says how many shared accounts it leaves out', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  await openAs(person);
  const card = bankCards(page);
  const sentence = (words: string) => page.getByText(`Comptes courants seulement\u202f: ${words}.`);
  await expect(sentence('2 autres ne sont pas affichés')).toBeVisible();
  await bank.setAccount(accounts[2] ?? 0, { data_access: 'disabled' });
  await page.reload();
  await expect(sentence("1 autre n'est pas affiché")).toBeVisible();
  await bank.setAccount(accounts[3] ?? 0, { data_access: 'disabled' });
  await page.reload();
  await expect(page.getByText('Comptes courants seulement')).toHaveCount(0);
  await bank.setAccount(accounts[3] ?? 0, { data_access: 'enabled' });
  for (const id of accounts.slice(0, 2)) await bank.setAccount(id, { data_access: 'disabled' });
  await page.reload();
  await expect(card).toContainText('Aucun compte courant visible');
  await expect(card).toContainText("1 compte d'un autre type n'est pas affiché.");
});
