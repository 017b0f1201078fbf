export type ToastVariant = 'success' | 'error' | 'info';

export interface Toast {
  id: number;
  variant: ToastVariant;
  text: string;
  /** A second, quieter line. */
  detail: string | null;
  /** What can be done about it. */
  action: ToastAction | null;
}

interface ToastAction {
  label: string;
  press: () => void;
}

/** What draws toasts. */
interface ToastRenderer {
  show(toast: Toast): void;
  clear(): void;
}

const waiting: Toast[] = [];
let renderer: ToastRenderer | null = null;
let onFirst: (() => void) | null = null;
let count = 0;

/** A notice at the top right. One asked for before the host is there waits for it. */
export function showToast(
  variant: ToastVariant,
  text: string,
  detail: string | null = null,
  action: ToastAction | null = null,
): void {
  count += 1;
  const toast = { id: count, variant, text, detail, action };
  if (renderer) {
    renderer.show(toast);
    return;
  }
  waiting.push(toast);
  onFirst?.();
}

/** Those that were shown; what they told of belongs to the page before. */
export function clearToasts(): void {
  renderer?.clear();
}

/** The host learns here that it is needed, even when that was before it was there. */
export function onToastNeeded(listener: () => void): void {
  onFirst = listener;
  if (waiting.length > 0) listener();
}

/** Hands the waiting toasts to the component that shows them, then each one as it comes. */
export function registerToastRenderer(shown: ToastRenderer): () => void {
  renderer = shown;
  for (const toast of waiting.splice(0)) shown.show(toast);
  return () => {
    if (renderer === shown) renderer = null;
  };
}
