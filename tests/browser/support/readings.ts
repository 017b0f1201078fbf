import { expect, type Page } from '@playwright/test';
import { showAgain } from './tabs.ts';

/** A reading that the server has answered, and whose answer has not come to the page yet. */
interface HeldReading {
  /** Once the server has answered it. */
  answered: Promise<void>;
  isAnswered(): boolean;
  /** Lets the answer come, until the page has dealt with it or has long given it up. */
  release(): Promise<void>;
}

/** Holds back the next answer to a GET of that address, as the server gives it when it is asked. */
export async function holdReading(page: Page, url: string | RegExp): Promise<HeldReading> {
  let isAnswered = false;
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      isAnswered = true;
      answered.resolve();
      await released.promise;
      await route.fulfill({ response });
      ended.resolve();
    },
    { times: 1 },
  );
  return {
    answered: answered.promise,
    isAnswered: () => isAnswered,
    async release() {
      released.resolve();
      await ended.promise;
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    },
  };
}

/** Shows the tab again until the page asks for the reading: while an earlier one is under way it does not. */
export async function showUntilAnswered(page: Page, reading: HeldReading): Promise<void> {
  await expect
    .poll(async () => {
      await showAgain(page);
      return reading.isAnswered();
    })
    .toBe(true);
}
