import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './Callout.module.css';

interface CalloutProps {
  look: 'warning' | 'failure' | 'quiet';
  /** What the person can do about it. */
  action?: ReactNode;
  children: ReactNode;
}

export function Callout({ look, action, children }: CalloutProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => () => keepFocusNear(box.current), []);
  // In a sheet it answers a button that may hide it: on a phone, it would stand below the edge.
  useLayoutEffect(() => {
    const isAnswer = look === 'failure' && box.current?.closest('[role="dialog"]');
    if (isAnswer) box.current?.scrollIntoView({ block: 'nearest' });
  }, [look]);
  return (
    <div ref={box} className={`${styles.callout} ${styles[look]}`}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** The button in it may have the focus, and goes away with it: the card or page around gets it. */
function keepFocusNear(box: HTMLElement | null): void {
  if (!box?.contains(document.activeElement)) return;
  box.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
