import { expect, type Locator } from '@playwright/test';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  right: number;
  bottom: number;
}

/** Of what is visible, in the window. */
export async function boxOf(element: Locator): Promise<Box> {
  const [box] = await boxesOf(element);
  return box;
}

/**
 * The same of several, all at one moment: what is compared is measured together, or the page may have
 * moved in between. Once they stand still, and what was changed before has been drawn.
 */
export async function boxesOf<Elements extends [Locator, ...Locator[]]>(
  ...elements: Elements
): Promise<{ [Place in keyof Elements]: Box }> {
  for (const element of elements) await expect(element).toBeVisible();
  let boxes: Box[] = [];
  await expect(async () => {
    const found = await Promise.all(elements.map((element) => element.elementHandle()));
    boxes = await elements[0].page().evaluate(measure, found);
    // One that was drawn anew in between is looked for again.
    expect(boxes.filter(({ width, height }) => width === 0 || height === 0)).toEqual([]);
  }).toPass();
  return boxes as { [Place in keyof Elements]: Box };
}

async function measure(elements: (Element | null)[]): Promise<Box[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const moving = document.getAnimations().filter(({ effect, playState }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    const ends = effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return ends && playState === 'running' && elements.some((one) => target?.contains(one));
  });
  await Promise.allSettled(moving.map(({ finished }) => finished));
  return elements.map((one) => {
    const { x, y, width, height, right, bottom } = one?.getBoundingClientRect() ?? new DOMRect();
    return { x, y, width, height, right, bottom };
  });
}

/** Whether they lie over one another. */
export function overlap(one: Box, other: Box): boolean {
  return one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;
}
