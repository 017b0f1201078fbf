import { type RefObject, useEffect } from 'react';

/** The name of what a press has asked for and that is not drawn yet, and by when it must be. */
let requested: { name: string; until: number } | null = null;

const usualPatienceMs = 15_000;

/** Undefined: the browser decides, by what was pressed last. */
let focusVisible: false | undefined;

/** To those who pressed no key, an outline around a whole card looks like a fault. */
export function hideOutlineUntilKey(): void {
  focusVisible = false;
  addEventListener('keydown', () => (focusVisible = undefined), { once: true });
}

/** What is named so gets the focus, and comes into view, as soon as it is on the page. */
export function requestFocus(name: string, patienceMs = usualPatienceMs): void {
  requested = { name, until: performance.now() + patienceMs };
  for (const tryFocus of waiting) tryFocus();
}

/** Whether a closing dialog leaves the focus to what is awaited. */
export function isFocusRequested(): boolean {
  return requested !== null && performance.now() < requested.until;
}

const waiting = new Set<() => void>();

/** Makes an element one that `requestFocus` finds by its name, and says where it then stands. */
export function useRequestedFocus(
  name: string | undefined,
  element: RefObject<HTMLElement | null>,
  block: ScrollLogicalPosition = 'start',
): void {
  useEffect(() => {
    if (name === undefined) return;
    let frame = 0;
    const tryFocus = () => {
      cancelAnimationFrame(frame);
      if (requested?.name !== name) return;
      if (!isFocusRequested() || !element.current || focusIfShown(element.current, block))
        requested = null;
      // Hidden until the page above it is settled, or behind a dialog that is closing.
      else frame = requestAnimationFrame(tryFocus);
    };
    waiting.add(tryFocus);
    tryFocus();
    return () => {
      waiting.delete(tryFocus);
      cancelAnimationFrame(frame);
    };
  }, [name, element, block]);
}

/** Whether the element has the focus now. */
function focusIfShown(element: HTMLElement, block: ScrollLogicalPosition): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return false;
  element.focus({ preventScroll: true, focusVisible });
  if (document.activeElement !== element) return false;
  element.scrollIntoView({ block });
  return true;
}
