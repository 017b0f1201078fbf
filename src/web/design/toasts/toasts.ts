export type ToastLook = 'success' | 'error' | 'info';

export interface Toast {
  id: number;
  look: ToastLook;
  text: string;
  /** A second, quieter line. */
  detail: string | null;
}

type Shower = (toast: Toast) => void;

const waiting: Toast[] = [];
let shower: Shower | null = null;
let onFirst: (() => void) | null = null;
let count = 0;

/** A notice at the top right. One asked for before the host is there waits for it. */
export function showToast(look: ToastLook, text: string, detail: string | null = null): void {
  count += 1;
  const toast = { id: count, look, text, detail };
  if (shower) {
    shower(toast);
    return;
  }
  waiting.push(toast);
  onFirst?.();
}

/** The host learns here that it is needed, even when that was before it was there. */
export function onToastNeeded(listener: () => void): void {
  onFirst = listener;
  if (waiting.length > 0) listener();
}

/** Hands the waiting toasts to the component that shows them, then each one as it comes. */
export function showToastsWith(show: Shower): () => void {
  shower = show;
  for (const toast of waiting.splice(0)) show(toast);
  return () => {
    if (shower === show) shower = null;
  };
}
