import type { Locator } from '@playwright/test';
import { styleOf } from './support/style.ts';
import { expect, test } from './support/test.ts';

// Motion is part of what is tested.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('transitions last 250 ms, ease-in-out, and none at all for those who want none', async ({
  page,
}) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Connexion' });
  const each = async (property: string) => new Set((await styleOf(button, property)).split(', '));
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

async function colours(
  element: Locator,
  property = 'background-color',
): Promise<[number, number, number]> {
  const [red = 0, green = 0, blue = 0] = (
    (await styleOf(element, property)).match(/\d+/g) ?? []
  ).map(Number);
  return [red, green, blue];
}
