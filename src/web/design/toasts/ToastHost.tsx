import { Suspense, useEffect, useState } from 'react';
import { Boundary } from '../Boundary.tsx';
import { chunk } from '../chunk.ts';
import { onToastNeeded, showToastsWith, type Toast } from './toasts.ts';

const toaster = chunk(() => import('./Toaster.tsx').then((file) => file.Toaster));

/**
 * Fetches the file that draws toasts at the first touch of the page, so that it is there when the
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
    <Boundary fallback={<PlainToasts />}>
      <Suspense>
        <toaster.Part />
      </Suspense>
    </Boundary>
  );
}

/** When the file that draws toasts cannot be fetched, their words still appear. */
function PlainToasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(() => showToastsWith((toast) => setToasts((shown) => [...shown, toast])), []);
  return (
    <div role="alert">
      {toasts.map((toast) => (
        <p key={toast.id}>{toast.text}</p>
      ))}
    </div>
  );
}
