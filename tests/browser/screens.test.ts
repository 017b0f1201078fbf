import { join } from 'node:path';
import { env } from 'node:process';
import type { CDPSession, Page } from '@playwright/test';
import {
  expectButtonsOnOneLine,
  expectNoLayoutShift,
  expectNoOverflow,
  expectStructure,
  expectTargetSizes,
} from '../screens/layout.ts';
import { heightOf, schemes, screenshotWidths, states, widths } from '../screens/screens.ts';
import { type Stage, type State, test } from '../screens/state.ts';
import { expectAccessible } from './support/axe.ts';

/** Where `npm run screenshots` wants its pictures; the suite takes none. */
const folder = env.SCREENSHOTS;

// So many that a worker alone with them would end long after the others.
test.describe.configure({ mode: 'parallel', ...(folder && { timeout: 600_000 }) });

test('public pages: nothing overflows, moves, is too small or has no name', async ({ stage }) => {
  for (const state of states.filter(({ isPublic }) => isPublic)) {
    await test.step(state.name, async () => {
      // Two addresses that differ behind their `#` would be one page.
      await stage.page.goto('about:blank');
      await examine(stage, state);
    });
  }
});

for (const state of states.filter(({ isPublic }) => !isPublic)) {
  test(`${state.name}: nothing overflows, moves, is too small or has no name`, ({ stage }) =>
    examine(stage, state));
}

async function examine(stage: Stage, { name, show, growsByPress }: State): Promise<void> {
  const { page } = stage;
  await page.setViewportSize({ width: 320, height: heightOf(320) });
  await show(stage);
  if (!growsByPress) await expectNoLayoutShift(page, name);
  await expectStructure(page, name);
  // One for all widths: with its end, the page would be online again.
  const devtools = folder ? await page.context().newCDPSession(page) : null;
  for (const width of folder ? screenshotWidths : widths) {
    await page.setViewportSize({ width, height: heightOf(width) });
    await expectNoOverflow(page, `${name}, ${width} px`);
    await expectTargetSizes(page, `${name}, ${width} px`);
    if (width >= 768) await expectButtonsOnOneLine(page, `${name}, ${width} px`);
    if (devtools)
      await picture({ page, devtools }, join(`${folder}`, `${name}-${width}`), width < 768);
  }
  await devtools?.detach();
  if (folder) await expectAccessible(page, name);
}

/** All of it in one window, as a finger or a pointer meets it: what is pressed is larger for a finger. */
async function picture(
  { page, devtools }: { page: Page; devtools: CDPSession },
  path: string,
  isTouched: boolean,
): Promise<void> {
  const touch = (enabled: boolean) =>
    devtools.send('Emulation.setTouchEmulationEnabled', { enabled });
  await touch(isTouched);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
  await touch(isTouched);
  // What is fetched when it is first seen has come by then; no test depends on it.
  await page.waitForTimeout(1_000);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${path}-${colorScheme}.png` });
  }
  await touch(false);
}
