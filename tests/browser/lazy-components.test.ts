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
