import { expect, type Page } from '@playwright/test';

/** Fails when something is wider than the window, or stands outside it where nobody can scroll. */
export async function expectNoOverflow(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('body *')].filter((one) => {
      const box = one.getBoundingClientRect();
      if (!one.checkVisibility({ contentVisibilityAuto: true })) return false;
      const isOutside = box.right > clientWidth + 1 || (box.left < -1 && box.bottom > 0);
      return box.width > 1 && isOutside && !one.closest('[aria-hidden="true"]') && !isScrolled(one);
    });
    /** Within a named part that scrolls sideways, with the keyboard too. */
    function isScrolled(one: Element): boolean {
      const region = one.parentElement?.closest(
        ':is(section, [role=group])[aria-label][tabindex="0"]',
      );
      return region != null && getComputedStyle(region).overflowX === 'auto';
    }
    return {
      excess: scrollWidth - clientWidth,
      wide: wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 120)),
    };
  });
  expect(found, `overflow, ${where}`).toEqual({ excess: 0, wide: [] });
}

/** Fails when what can be pressed is smaller than 24 px, but for words in a sentence (WCAG 2.5.8). */
export async function expectTargetSizes(page: Page, where: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, summary, select, input, [role=button], a')]
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const isShown = one.checkVisibility({ visibilityProperty: true }) && box.width > 1;
        const isInSentence = one.matches('a') && getComputedStyle(one).display === 'inline';
        const isHidden = one.closest('[aria-hidden="true"]') !== null || box.bottom <= 0;
        return isShown && !isInSentence && !isHidden && (box.width < 23.5 || box.height < 23.5);
      })
      // A small box inside a label is pressed through all of it.
      .filter((one) => (one.closest('label')?.getBoundingClientRect().height ?? 0) < 24)
      .map((one) => one.outerHTML.slice(0, 120)),
  );
  expect(small, `small targets, ${where}`).toEqual([]);
}

/** Fails when the words of a button stand in two lines although the window is no phone's. */
export async function expectButtonsOnOneLine(page: Page, where: string): Promise<void> {
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('main :is(a, button)')]
      .filter((one) => {
        const { display, minHeight } = getComputedStyle(one);
        const isButton = display === 'flex' || display === 'inline-flex';
        return isButton && minHeight === '44px' && one.getBoundingClientRect().height > 45;
      })
      .map((one) => one.textContent),
  );
  expect(broken, `two lines, ${where}`).toEqual([]);
}

/** Fails when what is read aloud has no order or no name. */
export async function expectStructure(page: Page, where: string): Promise<void> {
  const faults = await page.evaluate(() => {
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const found: string[] = [];
    for (const selector of ['main', 'h1', 'header', 'footer']) {
      const { length } = shown(selector);
      if (length !== 1) found.push(`${length} ${selector}`);
    }
    let last = 0;
    for (const heading of shown('h1, h2, h3, h4')) {
      const level = Number(heading.tagName.slice(1));
      if (last > 0 && level > last + 1) found.push(`h${level} after h${last}`);
      last = level;
    }
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    found.push(...ids.filter((id, index) => ids.indexOf(id) !== index));
    if (document.documentElement.lang !== 'fr') found.push('not French');
    return found;
  });
  expect(faults, `structure, ${where}`).toEqual([]);
  const tree = await page.locator('body').ariaSnapshot();
  const unnamed = tree.match(
    /^\s*- (button|link|textbox|combobox|checkbox|radio|dialog)(?=:|$| \[)/gm,
  );
  expect(unnamed, `without a name, ${where}`).toBeNull();
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** Fails when more than 0.02 moved without anybody's doing since the page was opened. */
export async function expectNoLayoutShift(page: Page, where: string): Promise<void> {
  const shifts = await page.evaluate(async () => {
    // What is there now has been drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    const own = (observer.takeRecords() as Shift[]).filter((one) => !one.hadRecentInput);
    const name = ({ node, previousRect, currentRect }: Shift['sources'][number]) => {
      const words = node instanceof Element ? node.outerHTML : node?.textContent;
      return `${words?.slice(0, 90)} (${previousRect.y} → ${currentRect.y})`;
    };
    return own.map(({ value, sources }) => ({ value, moved: sources.map(name) }));
  });
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `layout shift, ${where}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(0.02);
}
