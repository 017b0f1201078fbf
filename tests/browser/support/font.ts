import type { Page } from '@playwright/test';

/** A page keeps the system's font where ours is late, so that it is fetched before the page measured. */
export async function fetchFont(page: Page): Promise<void> {
  await page.goto('/login');
  await page.evaluate(() => document.fonts.load('1rem Inter'));
}
