import type { Locator } from '@playwright/test';

/** The value of a property as the browser has computed it. */
export function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
}
