import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the page as it stands, in both colour schemes, on a desk and in a hand. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const [width, height] of [
    [1280, 900],
    [320, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
      expect(found, `${state}, ${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}
