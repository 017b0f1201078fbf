import type { Page } from '@playwright/test';

/** A reading that the server has answered, and whose answer has not come to the page yet. */
interface HeldReading {
  /** Once the server has answered it. */
  answered: Promise<void>;
  /** Lets the answer come, until the page has dealt with it or has long given it up. */
  release(): Promise<void>;
}

/** Holds back the next answer to a GET of that address, as the server gives it when it is asked. */
export async function holdReading(page: Page, url: string | RegExp): Promise<HeldReading> {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      await route.fulfill({ response });
      ended.resolve();
    },
    { times: 1 },
  );
  return {
    answered: answered.promise,
    async release() {
      released.resolve();
      await ended.promise;
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    },
  };
}
