import { differenceFromReferences } from '../screens/machine.ts';
import { heightOf, references, states } from '../screens/screens.ts';
import { test } from '../screens/state.ts';
import { expect } from './support/test.ts';

// Said aloud by the test runner as well: another browser or font draws other pixels.
const difference = differenceFromReferences();

for (const { state, width, scheme } of references) {
  test(`${state} looks as it did, ${width} px, ${scheme}`, async ({ page, stage }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: heightOf(width) });
    // A font that comes late is left out until the next visit: this one fetches it.
    await page.goto('/cgu');
    await page.waitForFunction(() => document.fonts.check('15px Inter'));
    const { show } = states.find(({ name }) => name === state) ?? {};
    await show?.(stage);
    if (difference === null) await expect(page).toHaveScreenshot(`${state}-${width}-${scheme}.png`);
    else await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  });
}
