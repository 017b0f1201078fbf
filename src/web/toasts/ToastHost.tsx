import { Suspense, useEffect, useState } from 'react';
import { chunk } from '../application/chunks.ts';
import { PlainBoundary } from './PlainBoundary.tsx';
import { onToastNeeded } from './toasts.ts';

const toaster = chunk(async () => (await import('./Toaster.tsx')).Toaster);

/**
 * Fetches the drawing of toasts at the first touch of the page, so that it is there when the
 * server no longer answers, and mounts it with the first toast.
 */
export function ToastHost() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    onToastNeeded(() => setNeeded(true));
    for (const event of ['pointerdown', 'keydown']) {
      addEventListener(event, toaster.prepare, { once: true, passive: true });
    }
  }, []);
  if (!needed) return null;
  return (
    <PlainBoundary>
      <Suspense>
        <toaster.Part />
      </Suspense>
    </PlainBoundary>
  );
}
