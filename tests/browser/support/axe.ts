import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds on the page as it stands, in both colour schemes, on a desk and in a hand. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const width of [1280, 320]) {
    for (const scheme of ['light', 'dark'] as const) await analyse(page, state, width, scheme);
  }
}

/** The same in half the time: light on a desk, dark in a hand. */
export async function expectAccessibleTwice(page: Page, state: string): Promise<void> {
  await analyse(page, state, 1280, 'light');
  await analyse(page, state, 320, 'dark');
}

async function analyse(page: Page, state: string, width: number, colorScheme: 'light' | 'dark') {
  await page.setViewportSize({ width, height: width > 700 ? 900 : 700 });
  await page.emulateMedia({ colorScheme });
  const violations = await violationsOn(page);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  expect(found, `${state}, ${width} px, ${colorScheme}`).toEqual([]);
}

type RunOptions = Parameters<AxeBuilder['options']>[0];
type Results = Awaited<ReturnType<AxeBuilder['analyze']>>;

declare const axe: { run(options: RunOptions): Promise<Results> } | undefined;

/** Describing each element that is well takes longer than to look at it. */
const options: RunOptions = { resultTypes: ['violations'] };

/** Bringing axe into a page takes longer than to run it: what was brought once stays there. */
async function violationsOn(page: Page): Promise<Results['violations']> {
  const again = await page.evaluate(
    async (given) => (typeof axe === 'undefined' ? null : (await axe.run(given)).violations),
    options,
  );
  return (
    again ?? (await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()).violations
  );
}
