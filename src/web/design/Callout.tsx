import type { ReactNode } from 'react';
import styles from './Callout.module.css';

interface CalloutProps {
  look: 'warning' | 'failure' | 'quiet';
  /** What the person can do about it. */
  action?: ReactNode;
  children: ReactNode;
}

export function Callout({ look, action, children }: CalloutProps) {
  return (
    <div className={`${styles.callout} ${styles[look]}`}>
      <p>{children}</p>
      {action}
    </div>
  );
}
