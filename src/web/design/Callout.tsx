import { Fragment, type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './Callout.module.css';

type CalloutVariant = 'warning' | 'failure' | 'quiet';

interface CalloutProps {
  variant: CalloutVariant;
  /** What the person can do about it. */
  action?: ReactNode;
  children: ReactNode;
}

export function Callout({ variant, action, children }: CalloutProps) {
  return <Callouts variant={variant} items={[{ sentence: children, action }]} />;
}

interface CalloutsProps {
  variant: CalloutVariant;
  items: { sentence: ReactNode; action: ReactNode }[];
}

/** Several sentences in one box, each over what can be done about it. */
export function Callouts({ variant, items }: CalloutsProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => () => keepFocusNear(box.current), []);
  // In a sheet it answers a button that may hide it: on a phone, it would stand below the edge.
  useLayoutEffect(() => {
    const isAnswer = box.current?.matches('[role="dialog"] :is([role="alert"], [role="status"]) *');
    if (isAnswer) box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className={`${styles.callout} ${styles[variant]}`}>
      {items.map(({ sentence, action }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sentence may be any content.
        <Fragment key={index}>
          <p>{sentence}</p>
          {action}
        </Fragment>
      ))}
    </div>
  );
}

/** The button in it may have the focus, and goes away with it: the card or page around gets it. */
function keepFocusNear(box: HTMLElement | null): void {
  if (!box?.contains(document.activeElement)) return;
  box.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
