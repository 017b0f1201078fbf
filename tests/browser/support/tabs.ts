import type { Page } from '@playwright/test';

/** What the browser tells a page when its tab is shown again: every tab here is always shown. */
export async function showAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

/** The tab that `click` opens. */
export async function openedBy(page: Page, click: Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click]);
  return tab;
}
