import { useEffect, useEffectEvent } from 'react';

/**
 * While the caller is shown, the browser's way back calls `onBack` and leaves the page where it is. An entry
 * of the history stands for it, which is taken away when the caller closes by itself.
 */
export function useBackButton(onBack: () => void): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    let isShown = true;
    let hasEntry = false;
    void removed.then(() => {
      if (!isShown) return;
      pushEntry();
      hasEntry = true;
    });
    const onReturn = () => {
      if (!hasEntry) return;
      hasEntry = false;
      restoreScrolling();
      back();
    };
    addEventListener('popstate', onReturn);
    return () => {
      isShown = false;
      removeEventListener('popstate', onReturn);
      if (hasEntry && history.state === entry) removeEntry();
    };
  }, []);
}

const entry = 'open';

/** Until the entry of an earlier caller is gone. */
let removed = Promise.resolve();

/** The browser would scroll the page to where it was before, away from what got the focus meanwhile. */
function pushEntry(): void {
  history.scrollRestoration = 'manual';
  history.pushState(entry, '');
  // Each entry has its own: that of the page stays manual until it is returned to.
  history.scrollRestoration = 'auto';
}

function removeEntry(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  removed = promise;
  addEventListener('popstate', restoreScrolling, { once: true });
  addEventListener('popstate', () => resolve(), { once: true });
  history.back();
}

/** The browser reads it after the event of the return. */
function restoreScrolling(): void {
  setTimeout(() => (history.scrollRestoration = 'auto'));
}
