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
      history.pushState(entry, '');
      hasEntry = true;
    });
    const onReturn = () => {
      if (!hasEntry) return;
      hasEntry = false;
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

function removeEntry(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  removed = promise;
  addEventListener('popstate', () => resolve(), { once: true });
  history.back();
}
