import { type ReactNode, type Ref, useId } from 'react';
import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** One subject of the profile, under its own heading. */
export function Panel({ title, headingRef, children }: PanelProps) {
  const id = useId();
  return (
    <section className={`surface stack ${styles.panel}`} aria-labelledby={id}>
      <h2 id={id} ref={headingRef} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** What a panel says beside its main matter. */
export function PanelNote({ children }: { children: ReactNode }) {
  return <p className={styles.quiet}>{children}</p>;
}

/** A form that few need, behind its name. */
export function PanelDetails({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
