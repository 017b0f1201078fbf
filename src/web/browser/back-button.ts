import { useEffect, useEffectEvent } from 'react';

/**
 * While the caller is shown, the browser's way back calls `onBack` and leaves the page where it is: that of
 * the innermost caller alone. An entry of the history stands for each, which is taken away when it closes
 * by itself.
 */
export function useBackButton(onBack: () => void): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    let isShown = true;
    const onReturn = () => {
      if (isRemoving || callers.at(-1) !== onReturn) return;
      callers.pop();
      restoreScrolling();
      back();
    };
    void removed.then(() => {
      if (!isShown) return;
      pushEntry();
      callers.push(onReturn);
      // Not before: the return that removed an earlier entry is still being told.
      addEventListener('popstate', onReturn);
    });
    return () => {
      isShown = false;
      removeEventListener('popstate', onReturn);
      if (!callers.includes(onReturn)) return;
      callers.splice(callers.indexOf(onReturn), 1);
      removed = removed.then(removeEntry);
    };
  }, []);
}

const entry = 'open';

/** Those that have an entry, the innermost last. */
const callers: (() => void)[] = [];

/** Until the entries of earlier callers are gone. */
let removed = Promise.resolve();

/** The return that comes is not one by the button. */
let isRemoving = false;

/** The browser would scroll the page to where it was before, away from what got the focus meanwhile. */
function pushEntry(): void {
  history.scrollRestoration = 'manual';
  history.pushState(entry, '');
  // Each entry has its own: that of the page stays manual until it is returned to.
  history.scrollRestoration = 'auto';
}

async function removeEntry(): Promise<void> {
  // The caller's page was left.
  if (history.state !== entry) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  isRemoving = true;
  addEventListener('popstate', () => resolve(), { once: true });
  history.back();
  await promise;
  isRemoving = false;
  restoreScrolling();
}

/** The browser reads it after the event of the return. */
function restoreScrolling(): void {
  setTimeout(() => (history.scrollRestoration = 'auto'));
}
