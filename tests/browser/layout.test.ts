import type { Locator } from '@playwright/test';
import { expectNoOverflow } from '../screens/layout.ts';
import { boxOf } from './support/boxes.ts';
import { fontaine, lenoir } from './support/chat.ts';
import { expect, test } from './support/test.ts';

const style = (element: Locator, property: string): Promise<string> =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

test('the home page is 1024 px wide at most, and its cards 45 % from 768 px', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person);
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 1600, height: 1000 });
  await openAs(person);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  expect((await boxOf(page.getByRole('main'))).width).toBe(1024);
  for (const width of [1600, 1024, 768]) {
    await page.setViewportSize({ width, height: 1000 });
    const main = await boxOf(page.getByRole('main'));
    for (const card of await cards.all()) {
      expect((await boxOf(card)).width).toBeLessThanOrEqual(main.width * 0.45);
    }
  }
  await page.setViewportSize({ width: 767, height: 1000 });
  expect((await boxOf(cards.first())).width).toBeGreaterThan(767 * 0.9);
});

test('a card in use has its row to itself, its preview beside it and its buttons in sight', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  for (const team of [fontaine, lenoir]) {
    const { id } = await person.addMessenger(await chat.install(team.id));
    await person.changeMessenger(id, { slackChannel: team.general, message: 'Bonjour' });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAs(person);
  const [one, other] = [
    page.getByRole('article', { name: fontaine.name }),
    page.getByRole('article', { name: lenoir.name }),
  ];
  await one.getByLabel('Message').fill(`${'Une ligne\n'.repeat(12)}La dernière`);
  const preview = page.getByRole('group', { name: 'Aperçu' }).first();
  await expect(preview).toContainText('La dernière');
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 800 });
    const [card, beside, next] = [await boxOf(one), await boxOf(preview), await boxOf(other)];
    expect(beside.x, `${width} px`).toBeGreaterThanOrEqual(card.x + card.width);
    expect(next.y, `${width} px`).toBeGreaterThanOrEqual(card.y + card.height);
  }
  await one.getByText("Jours d'envoi, jours fériés, pause").click();
  await one.getByText(/^Comptes\s*:/).click();
  for (const inCard of [one.getByLabel('Minutes'), one.getByText('Dupliquer')]) {
    await inCard.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    for (const name of ['Tester', 'Valider']) {
      await expect(one.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(preview).toBeInViewport();
  }
  // On a phone it stands under the text that it is of.
  await page.setViewportSize({ width: 375, height: 800 });
  const [text, below] = [await boxOf(one.getByLabel('Message')), await boxOf(preview)];
  expect(below.y).toBeGreaterThan(text.y);
  expect(below.y).toBeLessThan((await boxOf(one.getByText(/^Comptes\s*:/))).y);
});

test('what gets the focus in a card is not under its buttons, nor is a line cut by them', async ({
  page,
  savedCard: card,
}) => {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 1280, height: 700 },
  ]) {
    await page.setViewportSize(viewport);
    // Unsaved, they are at their highest.
    await card.getByLabel('Message').fill('Bonjour à tous {{total}}');
    await expect(page.getByRole('group', { name: 'Aperçu' })).toBeVisible();
    const foot = page.locator('form > :last-child');
    const focused = page.locator('form :focus');
    await card.getByRole('combobox', { name: 'Channel' }).focus();
    let count = 0;
    while ((await focused.count()) === 1) {
      const [part, buttons] = [await boxOf(focused), await boxOf(foot)];
      const isButton = await foot.evaluate((one) => one.contains(document.activeElement));
      if (!isButton) {
        count += 1;
        expect(part.y + part.height, `part ${count}`).toBeLessThanOrEqual(buttons.y);
      }
      await page.keyboard.press('Tab');
    }
    expect(count).toBeGreaterThan(9);
    // The fade above them, as high as the room under the last line where all is seen.
    const fade = await foot.evaluate((one) => {
      const { backgroundImage, height } = getComputedStyle(one, '::before');
      return { backgroundImage, height: Number.parseFloat(height) };
    });
    expect(fade.backgroundImage).toContain('linear-gradient');
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    const last = await boxOf(card.getByText('Dupliquer'));
    expect((await boxOf(foot)).y - (last.y + last.height)).toBeGreaterThanOrEqual(fade.height - 1);
  }
});

test('the form wrapper is padded and at least 300 px wide', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const wrapper = page.getByRole('main');
    expect((await boxOf(wrapper)).width).toBeGreaterThanOrEqual(300);
    expect(await style(wrapper, 'min-width')).toBe('300px');
    expect(Number.parseFloat(await style(wrapper, 'padding-left'))).toBeGreaterThan(0);
    expect(Number.parseFloat(await style(wrapper, 'padding-top'))).toBeGreaterThan(0);
  }
});

test('the popover keeps a gap of 12 from its field and 16 from the edges', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 500, height: 1200 });
  await openAs(person);
  const field = page.getByRole('combobox', { name: 'Channel' });
  const popover = page.getByRole('dialog', { name: 'Choisir un channel' });
  // What still comes could make the page short for a moment, and scroll it back.
  await page.waitForLoadState('networkidle');
  await field.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await field.click();
  await expect(popover.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const [anchor, box] = [await boxOf(field), await boxOf(popover)];
    expect(box.y - (anchor.y + anchor.height)).toBeCloseTo(12, 0);
    expect(box.x).toBeGreaterThanOrEqual(16);
    expect(box.x + box.width).toBeLessThanOrEqual(500 - 16);
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  // With no room for all of it, it ends 16 px before the edge of the window.
  await page.setViewportSize({ width: 500, height: 330 });
  await field.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await field.click();
  await expect(popover.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const box = await boxOf(popover);
    expect(box.y + box.height).toBeLessThanOrEqual(330 - 16 + 0.5);
    expect(box.y).toBeGreaterThanOrEqual(0);
  }).toPass();
});

test('on a phone the list of channels is a sheet at the foot of the window', async ({
  page,
  person,
  chat,
  openAs,
}) => {
  await person.addMessenger(await chat.install());
  await page.setViewportSize({ width: 320, height: 700 });
  await openAs(person);
  const field = page.getByRole('combobox', { name: 'Channel' });
  const sheet = page.getByRole('dialog', { name: 'Choisir un channel' });
  await field.click();
  await expect(sheet.getByRole('option').first()).toBeVisible();
  await expect(async () => {
    const box = await boxOf(sheet);
    expect([box.x, box.width, box.y + box.height]).toEqual([0, 320, 700]);
    expect(box.y).toBeGreaterThan(100);
  }).toPass();
  await page.mouse.click(160, 20);
  await expect(sheet).toHaveCount(0);
});

test('nothing is cut nor overflows at 200 %, nor with the spacing that readers may ask for', async ({
  page,
  person,
  bank,
  chat,
  openAs,
}) => {
  await bank.link(person, { login: '1010' });
  const { id } = await person.addMessenger(await chat.install());
  await person.changeMessenger(id, { slackChannel: fontaine.general, message: 'Bonjour' });
  await openAs(person);
  await expect(page.getByRole('article')).toHaveCount(2);
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

test('transitions last 250 ms, ease-in-out, and none at all for those who want none', async ({
  page,
}) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Connexion' });
  const each = async (property: string) => new Set((await style(button, property)).split(', '));
  expect(await each('transition-duration')).toEqual(new Set(['0.25s']));
  expect(await each('transition-timing-function')).toEqual(new Set(['ease-in-out']));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await each('transition-duration')).toEqual(new Set(['0s']));
});

test('the primary colour is a blue, the secondary a green', async ({
  page,
  person,
  bank,
  openAs,
}) => {
  await bank.link(person);
  const addBank = page.getByRole('link', { name: 'Ajouter une banque' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/login');
    const [red, green, blue] = await colours(page.getByRole('button', { name: 'Connexion' }));
    expect(blue).toBeGreaterThan(green);
    expect(blue).toBeGreaterThan(red);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await openAs(person);
    const [red, green, blue] = await colours(addBank, 'border-top-color');
    expect(green).toBeGreaterThan(blue);
    expect(green).toBeGreaterThan(red);
  }
});

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
  await page.getByText('Derniers envois').click();
  await expectNoOverflow(page, 'long words');
  await page.getByTitle('Supprimer').first().click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectNoOverflow(page, 'question');
});

test('a part that could not be fetched once is there at the next press', async ({
  page,
  newCard: card,
}) => {
  const asked: string[] = [];
  await page.route(/ChannelPicker-.*\.js/, async (route) => {
    asked.push(route.request().url());
    if (asked.length > 2) await route.continue();
    else await route.abort();
  });
  const popover = page.getByRole('dialog', { name: 'Choisir un channel' });
  // The pointer alone fetches ahead, so that one press may do.
  await expect(async () => {
    if (!(await popover.isVisible())) {
      await card.getByRole('combobox', { name: 'Channel' }).click();
    }
    await expect(popover).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // Chromium keeps the failure of an address for as long as the page lives.
  expect(new Set(asked).size).toBeGreaterThan(1);
});

async function colours(
  element: Locator,
  property = 'background-color',
): Promise<[number, number, number]> {
  const [red = 0, green = 0, blue = 0] = ((await style(element, property)).match(/\d+/g) ?? []).map(
    Number,
  );
  return [red, green, blue];
}
