import { boxOf } from './support/boxes.ts';
import { expect, test } from './support/test.ts';

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

test('a part that cannot be fetched at all offers a reload, under the sentence that says so', async ({
  page,
  newCard: card,
}) => {
  await page.route(/ChannelPicker-.*\.js/, (route) => route.abort());
  const notice = page.getByRole('alert').filter({ hasText: "n'a pas pu être chargée" });
  const reload = notice.getByRole('button', { name: 'Recharger la page' });
  await expect(async () => {
    await card.getByRole('combobox', { name: 'Channel' }).click();
    await expect(reload).toBeVisible({ timeout: 1_000 });
  }).toPass();
  // The pointer over it keeps it there.
  await notice.hover();
  const sentence = await boxOf(notice.getByText("n'a pas pu être chargée"));
  const start = await reload.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getBoundingClientRect().x;
  });
  expect(Math.abs(start - sentence.x)).toBeLessThanOrEqual(1);
});
