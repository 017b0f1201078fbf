import type { Locator, Route } from '@playwright/test';
import { expectNoOverflow } from '../screens/layout.ts';
import { type Box, boxesOf, boxOf, overlap } from './support/boxes.ts';
import { fontaine } from './support/chat.ts';
import { fetchFont } from './support/font.ts';
import { bankCards } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const longName = 'Compte courant professionnel des frais de déplacement et de représentation 2026';

test('nothing is cut nor overflows at 200 %, nor with the spacing that readers may ask for', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person, { login: '1010' });
  // With so many, the page has its bar of shortcuts.
  for (const providerId of [575, 576]) await bank.link(person, { providerId });
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  const held = Promise.withResolvers<Route>();
  await page.route(/balances\?days=/, held.resolve, { times: 1 });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(4);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  const daysBefore = await held.promise;
  await expectNoOverflow(page, 'letters of twice the size, while the days before are awaited');
  await daysBefore.continue();
  await expect(page.getByText('Évolution dès demain')).toBeVisible();
  for (const width of [375, 800]) {
    await page.setViewportSize({ width, height: 700 });
    await expectNoOverflow(page, `letters of twice the size, ${width} px`);
    const age = page.getByText(/^Dernière mise à jour/).first();
    expect((await boxOf(age)).height, 'not a line for each word').toBeLessThan(4 * 36);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  for (const spaced of [false, true]) {
    if (spaced) await page.evaluate(spaceText);
    // 1280 and 640 px wide windows at 200 %.
    for (const width of [640, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expectNoOverflow(page, `${width} px`);
      expect(await page.evaluate(cutTexts), `${width} px`).toEqual([]);
    }
  }
});

test('a long address stays within its panel at letters of twice the size', async ({
  page,
  person,
  openAs,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person, '/profil');
  await expect(page.getByText(person.email)).toBeVisible();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
  await expectNoOverflow(page, 'profile');
});

/** WCAG 2.2, 1.4.12. */
function spaceText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}',
  );
  document.adoptedStyleSheets = [sheet];
}

function cutTexts(): string[] {
  return [...document.querySelectorAll('main :is(button, a, h2, h3, p, label, legend)')]
    .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
    .map((element) => element.textContent ?? '');
}

test('nothing is too long for 320 px', async ({ page, person, bank, chat, openAs }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const { accounts } = await bank.link(person, { login: '1010' });
  await bank.setAccount(accounts[0] ?? 0, {
    name: 'Compte'.repeat(20),
    balance: -123_456_789.12,
    accounting_balance: -123_456_789.12,
  });
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'x'.repeat(3000) });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(2);
  const sum = bankCards(page).locator('[aria-hidden="true"]', { hasText: /^−123.452.493,88/ });
  const [amount, button] = await boxesOf(sum, bankCards(page).getByTitle('Editer'));
  expect(overlap(amount, button)).toBe(false);
  await page.getByText('Derniers envois').click();
  await expectNoOverflow(page, 'long words');
  await page.getByTitle('Supprimer').first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectNoOverflow(page, 'question');
});

test('hundreds of billions stay on their lines, beside names of 80 characters', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  const solid = 'CompteCourantDesFraisDeDeplacementEtDeRepresentationDuSiegeSocialDeLaSociete2026';
  const updated_at = new Date().toISOString();
  const row = { currency_code: 'EUR', updated_at };
  const { itemId } = await bank.link(person, { providerId: 601 });
  await bank.replaceAccounts(itemId, [
    { ...row, name: longName, balance: 321_654_987_123.45 },
    { ...row, name: solid, balance: -456_789_123_456.78 },
  ]);
  await bank.link(person, { providerId: 602 });
  await person.call('GET', '/bridge/items?fresh=1');
  const { id } = await person.addMessenger(await chat.install());
  const message = 'Bonjour\n{{soldes}}';
  await person.changeMessenger(id, { slackChannel: fontaine.general, message });
  await fetchFont(page);
  await openAs(person);
  await expect(page.getByText(longName).first()).toBeVisible();
  const total = page
    .getByRole('region', { name: 'Trésorerie' })
    .getByText(/^−135.134.\d{3}.\d{3},/);
  const subtotal = bankCards(page).getByText(/^−135.134.136.333,33/);
  const amounts = bankCards(page).getByText(/^(321.654|−456.789)/);
  const name = bankCards(page).getByText(longName);
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const one of [total, subtotal, ...(await amounts.all())]) {
      expect(await linesOf(one, /^[^(€]+/), `${width} px`).toBe(1);
    }
    for (const word of longName.split(' ')) {
      expect(await linesOf(name, new RegExp(word)), `${word}, ${width} px`).toBe(1);
    }
    await expectNoOverflow(page, `${width} px`);
  }
  // A sum is level with the buttons of its card, beside a name of two lines as well.
  const ordinary = bankCards(page).filter({ hasText: 'Caisse des Trois Vallées' });
  const [figure, edit] = await boxesOf(
    ordinary.getByText(/^[\d\u202f]+,\d\d/).first(),
    ordinary.getByTitle('Editer'),
  );
  expect(Math.abs(middleOf(figure) - middleOf(edit))).toBeLessThanOrEqual(1);
  // The preview shows the amounts without a look aside.
  const table = page.getByRole('group', { name: 'Aperçu' }).getByRole('group', { name: 'Comptes' });
  const [cell, frame] = await boxesOf(table.getByRole('columnheader', { name: 'Solde' }), table);
  expect(cell.right).toBeLessThanOrEqual(frame.right + 1);
});

function middleOf({ y, height }: Box): number {
  return y + height / 2;
}

/** On how many lines that part of its text stands. */
function linesOf(element: Locator, part: RegExp): Promise<number> {
  return element.evaluate(
    (one, { source }) => {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const node = walker.nextNode();
      const found = new RegExp(source, 'u').exec(node?.textContent ?? '');
      if (!node || !found) return 0;
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].trimEnd().length);
      return new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size;
    },
    { source: part.source },
  );
}
