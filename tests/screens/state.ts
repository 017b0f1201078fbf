import type { Page } from '@playwright/test';
import type { Bank } from '../browser/support/bank.ts';
import type { Chat } from '../browser/support/chat.ts';
import type { DemoClock } from '../browser/support/clock.ts';
import type { Demonstration } from '../browser/support/demonstration.ts';
import type { Person } from '../browser/support/person.ts';
import { test as base } from '../browser/support/test.ts';

/** What a state is made with. */
export interface Stage {
  page: Page;
  person: Person;
  bank: Bank;
  chat: Chat;
  clock: DemoClock;
  demo: Demonstration;
  openAs(person: Person, path?: string): Promise<void>;
}

export const test = base.extend<{ stage: Stage }>({
  stage: async ({ page, person, bank, chat, clock, demo, openAs }, use) =>
    use({ page, person, bank, chat, clock, demo, openAs }),
});

/** A page as somebody may meet it. */
export interface State {
  name: string;
  /** An answer to a press makes room for itself: that much may move. */
  growsByPress?: boolean;
  /** It is nobody's: it can be shown after another one, in the same page. */
  isPublic?: boolean;
  /** Until the page shows it. */
  show(stage: Stage): Promise<void>;
}

/** Answers that never come: the page stays as it is while it waits. */
export async function holdApi(page: Page): Promise<void> {
  await page.route('**/api/**', () => {});
}

/** No answer at all. */
export async function abortApi(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort());
}
