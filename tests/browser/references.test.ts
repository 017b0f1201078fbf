import { differenceFromReferences } from '../screens/machine.ts';
import { heightOf, references, states } from '../screens/screens.ts';
import { test } from '../screens/state.ts';
import { fetchFont } from './support/font.ts';
import { expect } from './support/test.ts';

// Said aloud by the test runner as well: another browser or font draws other pixels.
const difference = differenceFromReferences();

test('pages look as they did', async ({ page, stage }) => {
  await fetchFont(page);
  for (const { state, width, scheme } of references) {
    await test.step(`${state} looks as it did, ${width} px, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: heightOf(width) });
      const { show } = states.find(({ name }) => name === state) ?? {};
      await show?.(stage);
      const name = `${state}-${width}-${scheme}.png`;
      if (difference === null) await expect.soft(page).toHaveScreenshot(name);
      else await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    });
  }
});
