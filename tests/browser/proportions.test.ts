import type { Locator, Page } from '@playwright/test';
import { cutApi } from '../screens/state.ts';
import { expect, test } from './support/test.ts';

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('The element has no box.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test('sizes are drawn as docs/design.md says', async ({ page }) => {
  await page.goto('/login');
  const size = (selector: string) =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).fontSize);
  expect(await size('html')).toBe('16px');
  expect(await size('body')).toBe('15px');
  expect(await size('#email, input[type=email]')).toBe('15px');
  expect(await size('footer')).toBe('13px');
  expect(await size('h1')).toBe('22px');
  expect(await size('h2')).toBe('28px');
});

test('the promise is as wide as the form beside or above it, and starts where it starts', async ({
  page,
}) => {
  const promise = page.getByRole('complementary');
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.setViewportSize({ width: 768, height: 900 });
    const [form, below] = [await boxOf(page.getByRole('main')), await boxOf(promise)];
    expect([below.x, below.width], path).toEqual([form.x, form.width]);
    expect((await boxOf(promise.getByRole('figure'))).x, path).toBe(form.x);
    for (const width of [896, 950, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await boxOf(promise)).y, path).toBe((await boxOf(page.getByRole('main'))).y);
      expect((await boxOf(page.getByRole('main'))).right, path).toBeLessThanOrEqual(width - 16);
    }
  }
});

test('the eye stands beside the total, however long the sentence below is', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  for (const login of ['stale', 'pro']) await bank.link(person, { login });
  await openAs(person);
  const eye = page.getByRole('button', { name: 'Masquer les montants' });
  const sums = page.getByRole('paragraph').filter({ has: page.getByText('Total') });
  const amount = sums.locator('strong');
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    expect((await boxOf(eye)).x - (await boxOf(amount)).right, `${width} px`).toBeCloseTo(8, 0);
    const currency = await boxOf(amount.getByText('(EUR)'));
    expect(currency.bottom, `${width} px`).toBeLessThanOrEqual((await boxOf(amount)).bottom);
    expect((await boxOf(amount)).height, `${width} px`).toBeLessThan(40);
  }
});

test('a line of 30 days ends where the amount above it ends', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  await openAs(person);
  const account = page.getByRole('article').getByRole('listitem').first();
  const line = await boxOf(account.getByTitle('Historique').locator('svg'));
  expect(line.right).toBeCloseTo((await boxOf(account.locator('strong'))).right, 0);
});

test('fields, lists of choices and buttons are 44 px high, and radios are round', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await openAs(person);
  const card = page.getByRole('article');
  for (const name of ['Heures', 'Minutes', 'Channel']) {
    expect((await boxOf(card.getByRole('combobox', { name }))).height, name).toBe(44);
  }
  expect((await boxOf(card.getByRole('button', { name: 'Valider' }))).height).toBe(44);
  await card.getByText('jours fériés, pause').click();
  await expect(card.getByRole('radio')).toHaveCount(3);
  for (const radio of await card.getByRole('radio').all()) {
    expect(await boxOf(radio)).toMatchObject({ width: 20, height: 20 });
  }
  await page.goto('/profil');
  const field = page.getByLabel('Prénom');
  expect((await boxOf(field.locator('..'))).height).toBe(44);
});

test('a page that could not be loaded has nothing to scroll to', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await cutApi(page);
  for (const path of ['/profil', '/exploitation']) {
    await openAs(person, path);
    await expect(page.getByRole('button', { name: 'Réessayer' })).toBeVisible();
    expect(await excess(page), path).toBe(0);
  }
});

test('no room is kept under "Banques" on a phone for a link that does not come', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await cutApi(page);
  await openAs(person);
  const section = page.getByRole('region', { name: 'Banques' });
  const callout = section.getByText("Vos banques n'ont pas pu être chargées.").locator('..');
  await expect(callout).toBeVisible();
  const heading = section.getByRole('heading', { name: 'Banques' });
  const otherWays = section.getByRole('button', { name: 'Autre banque ou relevé' });
  const gap = async (above: Locator, below: Locator) =>
    (await boxOf(below)).y - (await boxOf(above)).bottom;
  // Until the address of a new bank has failed as well.
  await expect.poll(() => gap(heading, otherWays)).toBeLessThan(30);
  expect(await gap(otherWays, callout)).toBeLessThan(30);
});

function excess(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight;
  });
}
