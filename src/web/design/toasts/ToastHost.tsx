import { Suspense, useEffect, useState } from 'react';
import { Button } from '../Button.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { lazyComponent } from '../lazy-component.ts';
import styles from './ToastHost.module.css';
import { clearToasts, onToastNeeded, registerToastRenderer, type Toast } from './toasts.ts';

const toaster = lazyComponent(
  () => import('./Toaster.tsx'),
  (file) => file.Toaster,
);

/**
 * Fetches the file that draws toasts at the first touch of the page, so that it is there when the
 * server no longer answers, and mounts it with the first toast.
 */
export function ToastHost() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    onToastNeeded(() => setNeeded(true));
    for (const event of ['pointerdown', 'keydown']) {
      addEventListener(event, toaster.preload, { once: true, passive: true });
    }
    return onNavigation(clearToasts);
  }, []);
  return (
    // An open dialog hides from screen readers what has no such attribute; the toasts have their own.
    <div aria-live="off">
      {needed && (
        <ErrorBoundary fallback={<PlainToasts />}>
          <Suspense>
            <toaster.Component />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}

/** Calls at once when the page's path becomes another: what is shown next is of the new page. */
function onNavigation(listener: () => void): () => void {
  let path = location.pathname;
  const onEvent = () => {
    if (location.pathname === path) return;
    path = location.pathname;
    listener();
  };
  // wouter dispatches the last two: browsers send no event when these functions are called.
  const events = ['popstate', 'pushState', 'replaceState'];
  for (const event of events) addEventListener(event, onEvent);
  return () => {
    for (const event of events) removeEventListener(event, onEvent);
  };
}

const lastingMs = 5000;

/** When the file that draws toasts cannot be fetched, their words still appear, at the foot of the window. */
function PlainToasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(
    () =>
      registerToastRenderer({
        show: (toast) => {
          setToasts((shown) => [...shown, toast]);
          setTimeout(() => setToasts((shown) => shown.filter((one) => one !== toast)), lastingMs);
        },
        clear: () => setToasts([]),
      }),
    [],
  );
  return (
    <div role="alert" className={styles.plain}>
      {toasts.map((toast) => (
        <p key={toast.id}>
          {toast.text} {toast.detail}{' '}
          {toast.action && <Button onClick={toast.action.press}>{toast.action.label}</Button>}
        </p>
      ))}
    </div>
  );
}
