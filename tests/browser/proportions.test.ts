import type { Locator, Page } from '@playwright/test';
import { abortApi } from '../screens/state.ts';
import { type Box, boxesOf, boxOf } from './support/boxes.ts';
import { fetchFont } from './support/font.ts';
import { expect, test } from './support/test.ts';

test('sizes are drawn as docs/design.md says', async ({ page }) => {
  await page.goto('/login');
  const size = (selector: string) =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).fontSize);
  expect(await size('html')).toBe('16px');
  expect(await size('body')).toBe('15px');
  expect(await size('#email, input[type=email]')).toBe('15px');
  expect(await size('footer')).toBe('13px');
  expect(await size('h1')).toBe('20px');
  expect(await size('h2')).toBe('28px');
});

test('the promise is as wide as the form that it stands beside or above, and starts where it starts', async ({
  page,
}) => {
  const promise = page.getByRole('complementary');
  const form = page.getByRole('main');
  const boxes = () => boxesOf(form, promise.getByRole('heading'), promise.getByRole('figure'));
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.setViewportSize({ width: 768, height: 900 });
    const [below, ...parts] = await boxes();
    for (const { x, width } of parts) expect([x, width], path).toEqual([below.x, below.width]);
    // What the form is for is read before it; an example of it, after.
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 700 });
      const [main, words, example] = await boxes();
      expect(words.bottom, path).toBeLessThanOrEqual(main.y);
      expect(example.y, path).toBeGreaterThanOrEqual(main.bottom);
    }
    for (const width of [896, 950, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const [main, beside] = await boxesOf(form, promise);
      expect(beside.y, path).toBe(main.y);
      expect(main.right, path).toBeLessThanOrEqual(width - 16);
    }
  }
});

test('the treasury is the first thing on the page, and the eye stands beside it', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  for (const login of ['stale', 'pro']) await bank.link(person, { login });
  await openAs(person);
  const treasury = page.getByRole('region', { name: 'Trésorerie' });
  const eye = treasury.getByRole('button', { name: 'Masquer les montants' });
  const amount = treasury
    .getByRole('paragraph')
    .filter({ has: page.locator('.amount') })
    .first();
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    const banks = page.getByRole('heading', { name: 'Banques' });
    const [whole, total, button, heading] = await boxesOf(treasury, amount, eye, banks);
    expect(button.x - total.right, `${width} px`).toBeCloseTo(8, 0);
    expect(total.height, `${width} px`).toBeLessThan(50);
    expect(total.bottom, `${width} px`).toBeLessThan(260);
    expect(whole.bottom).toBeLessThan(heading.y);
  }
});

test('a total of millions stays on its line beside the eye', async ({
  page,
  person,
  bank,
  openAs,
  touch,
}) => {
  const { itemId } = await bank.link(person);
  const row = { name: 'Compte courant', balance: 1_344_846.24, currency_code: 'EUR' };
  await bank.replaceAccounts(itemId, [{ ...row, updated_at: new Date().toISOString() }]);
  await openAs(person);
  const amount = page
    .getByRole('region', { name: 'Trésorerie' })
    .getByText(/^1.344.846,24/)
    .first();
  for (const width of [320, 375, 768, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    // For a finger the eye is wider.
    await touch(width < 768);
    const size = await amount.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    expect((await boxOf(amount)).height, `${width} px`).toBeLessThan(1.6 * size);
    expect(size, `${width} px`).toBeGreaterThanOrEqual(24);
  }
});

test('the two ways to a first bank stand apart, side by side or one below the other', async ({
  page,
  person,
  openAs,
}) => {
  await openAs(person);
  const step = page.getByRole('listitem').filter({ hasText: 'Relier une banque' });
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    const [one, other] = await boxesOf(step.getByRole('link'), step.getByRole('button'));
    const [aside, below] = [other.x - one.right, other.y - one.bottom];
    expect(Math.max(aside, below), `${width} px`).toBeGreaterThanOrEqual(8);
  }
});

test('an account is one row: its name, its line and its amount, in columns', async ({
  page,
  person,
  bank,
  clock,
  openAs,
}) => {
  const { accounts } = await bank.link(person);
  await bank.history(person, accounts, [120, 90, 100], await clock.now());
  await fetchFont(page);
  await openAs(person);
  const rows = page.getByRole('article').getByRole('listitem');
  const lines = rows.getByTitle('Historique').locator('svg');
  const amounts = rows.locator('strong');
  const boxes = () => boxesOf(lines.nth(0), amounts.nth(0), lines.nth(1), amounts.nth(1));
  const [line, amount, otherLine, otherAmount] = await boxes();
  expect(line.right).toBeLessThan(amount.x);
  expect(line.x).toBeCloseTo(otherLine.x, 0);
  expect(amount.right).toBeCloseTo(otherAmount.right, 0);
  // Where there is no room for three columns, the line stands below the amount.
  await page.setViewportSize({ width: 320, height: 700 });
  const [below, above] = await boxes();
  expect(below.y).toBeGreaterThan(above.y);
  expect(below.right).toBeCloseTo(above.right, 0);
});

test('cards stand on the edges of the treasury, and a head is one line', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person);
  await bank.link(person, { providerId: 601 });
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 1280, height: 900 });
  await fetchFont(page);
  await openAs(person);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  const preview = page.getByRole('group', { name: 'Aperçu' });
  await expect(preview).toBeVisible();
  // Once the lines of both are drawn.
  await expect(async () => {
    const [one, other] = await boxesOf(cards.nth(0), cards.nth(1));
    expect([other.y, other.height]).toEqual([one.y, one.height]);
  }).toPass();
  const [treasury, left, right, notification, beside] = await boxesOf(
    page.getByRole('region', { name: 'Trésorerie' }),
    cards.nth(0),
    cards.nth(1),
    cards.nth(2),
    preview,
  );
  // But for the border that the card's own box leaves out.
  const edges = [left.x - treasury.x, notification.x - treasury.x, treasury.right - right.right];
  for (const edge of edges) expect(Math.abs(edge)).toBeLessThanOrEqual(1);
  expect(beside.right).toBeLessThanOrEqual(treasury.right);
  expect(beside.y).toBeCloseTo(notification.y, -2);
  const middle = ({ y, height }: Box) => y + height / 2;
  const [head, ...parts] = await boxesOf(
    cards.nth(0).getByRole('heading'),
    cards.nth(0).getByText('Total').locator('..'),
    cards.nth(0).getByRole('button').first(),
  );
  for (const part of parts) expect(Math.abs(middle(part) - middle(head))).toBeLessThan(4);
});

test('fields, lists of choices and buttons are 44 px high for a finger, 36 px for a fine pointer, and radios are round', async ({
  page,
  person,
  chat,
  openAs,
  touch,
}) => {
  await person.addMessenger(await chat.install());
  await openAs(person);
  const card = page.getByRole('article');
  for (const [enabled, height] of [
    [true, 44],
    [false, 36],
  ] as const) {
    await touch(enabled);
    for (const name of ['Heures', 'Minutes', 'Channel']) {
      expect((await boxOf(card.getByRole('combobox', { name }))).height, name).toBe(height);
    }
    expect((await boxOf(card.getByRole('button', { name: 'Valider' }))).height).toBe(height);
  }
  await card.getByText("Pause, jours d'envoi").click();
  await expect(card.getByRole('radio')).toHaveCount(3);
  for (const radio of await card.getByRole('radio').all()) {
    expect(await boxOf(radio)).toMatchObject({ width: 20, height: 20 });
  }
  await touch(true);
  for (const name of ['Actifs', 'lundi']) {
    expect((await boxOf(card.getByText(name).locator('..'))).height, name).toBe(44);
  }
  await page.goto('/profil');
  const folded = page.getByText("Changer d'adresse", { exact: true }).first();
  expect((await boxOf(folded)).height).toBeGreaterThanOrEqual(44);
  await touch(false);
  const field = page.getByLabel('Prénom');
  expect((await boxOf(field.locator('..'))).height).toBe(36);
});

test('a page that could not be loaded has nothing to scroll to', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await abortApi(page);
  for (const path of ['/profil', '/exploitation']) {
    await openAs(person, path);
    await expect(page.getByRole('button', { name: 'Réessayer' })).toBeVisible();
    expect(await excess(page), path).toBe(0);
  }
});

test('no gap stays under "Banques" on a phone where no address of a bank comes', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await abortApi(page);
  await openAs(person);
  const section = page.getByRole('region', { name: 'Banques' });
  const callout = section.getByText("Vos banques n'ont pas pu être chargées.").locator('..');
  await expect(callout).toBeVisible();
  const heading = section.getByRole('heading', { name: 'Banques' });
  const otherWays = section.getByRole('button', { name: 'Autre banque ou relevé' });
  const add = section.getByRole('button', { name: 'Ajouter une banque' });
  const [head, link, others, words] = await boxesOf(heading, add, otherWays, callout);
  expect(link.y - head.bottom).toBeLessThan(30);
  expect(others.y - link.bottom).toBeLessThan(30);
  expect(words.y - others.bottom).toBeLessThan(30);
});

function excess(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight;
  });
}

test('a finger finds what stands alone and is drawn smaller: 44 px each way', async ({
  page,
  person,
  bank,
  chat,
  openAs,
  touch,
}) => {
  await bank.link(person);
  await person.addMessenger(await chat.install());
  await touch(true);
  await openAs(person);
  const card = page.getByRole('article').filter({ has: page.getByRole('combobox') });
  await card.getByRole('button', { name: 'Valider' }).click();
  const close = page.getByRole('button', { name: 'Fermer' });
  await close.hover();
  expect(await reachOf(close)).toBe('whole');
  await close.click();
  for (const small of [
    page.getByRole('link', { name: 'Compléter la notification' }),
    page.getByRole('link', { name: 'Ouvrir Tirelire' }),
    page.getByRole('link', { name: 'Accessibilité' }),
  ]) {
    expect(await reachOf(small), String(small)).toBe('whole');
  }
  await card.getByRole('combobox', { name: 'Channel' }).click();
  const channel = page.getByRole('dialog').getByRole('option').first();
  expect((await boxOf(channel)).height).toBe(44);
});

/** Whether a press on any edge of the 44 px around its middle is one on it. */
async function reachOf(target: Locator): Promise<string> {
  return target.evaluate((element) => {
    // What lies at the edge of the window has no room around it.
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const missed = [
      [0, -21],
      [0, 21],
      [-21, 0],
      [21, 0],
    ].filter(([dx = 0, dy = 0]) => {
      const pressed = document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy);
      return !element.contains(pressed);
    });
    return missed.length === 0 ? 'whole' : `missed at ${missed.join(' and ')}`;
  });
}
