import { expectNoOverflow } from '../screens/layout.ts';
import { boxesOf, boxOf } from './support/boxes.ts';
import { fontaine, lenoir } from './support/chat.ts';
import { styleOf } from './support/style.ts';
import { expect, test } from './support/test.ts';

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
    const [main, ...both] = await boxesOf(page.getByRole('main'), cards.nth(0), cards.nth(1));
    for (const card of both) expect(card.width).toBeLessThanOrEqual(main.width * 0.45);
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
    const [card, beside, next] = await boxesOf(one, preview, other);
    expect(beside.x, `${width} px`).toBeGreaterThanOrEqual(card.right);
    expect(next.y, `${width} px`).toBeGreaterThanOrEqual(card.bottom);
  }
  await one.getByText("Pause, jours d'envoi, jours fériés").click();
  await one.getByText(/^Comptes\s*:/).click();
  for (const inCard of [one.getByLabel('Minutes'), one.getByText('Dupliquer')]) {
    await inCard.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    for (const name of ['Tester', 'Valider']) {
      await expect(one.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(preview).toBeInViewport();
  }
  // On a phone it stands under the text that it is of.
  await expect(one.getByRole('button', { name: "Voir l'aperçu" })).toHaveCount(0);
  await page.setViewportSize({ width: 375, height: 800 });
  const [text, below, rest] = await boxesOf(
    one.getByLabel('Message'),
    preview,
    one.getByText(/^Comptes\s*:/),
  );
  expect(below.y).toBeGreaterThan(text.y);
  expect(below.y).toBeLessThan(rest.y);
});

test('on a phone a press shows the preview of a saved text', async ({ page, savedCard: card }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await page.reload();
  const see = card.getByRole('button', { name: "Voir l'aperçu" });
  const preview = card.getByRole('group', { name: 'Aperçu' });
  await expect(preview).toHaveCount(0);
  // Below the other button, its words begin where that one does.
  await page.setViewportSize({ width: 320, height: 667 });
  const [insert, below] = await boxesOf(
    card.getByRole('button', { name: 'Insérer une variable' }),
    see,
  );
  expect(below.y).toBeGreaterThanOrEqual(insert.bottom);
  const padding = Number.parseFloat(await styleOf(see, 'padding-left'));
  expect(Math.abs(below.x + padding - insert.x)).toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 375, height: 667 });
  await see.click();
  await expect(preview).toContainText('Bonjour');
  await expect(preview).toBeFocused();
  await expect(preview).toBeInViewport();
  await expect(see).toHaveCount(0);
  await expectNoOverflow(page, 'the preview on a phone');
});

test('the form wrapper is padded and at least 300 px wide', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const wrapper = page.getByRole('main');
    expect((await boxOf(wrapper)).width).toBeGreaterThanOrEqual(300);
    expect(await styleOf(wrapper, 'min-width')).toBe('300px');
    expect(Number.parseFloat(await styleOf(wrapper, 'padding-left'))).toBeGreaterThan(0);
    expect(Number.parseFloat(await styleOf(wrapper, 'padding-top'))).toBeGreaterThan(0);
  }
});
