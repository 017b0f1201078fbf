import type { ReactNode } from 'react';
import styles from './Folded.module.css';

/** A form that few need, behind its name. */
export function Folded({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
