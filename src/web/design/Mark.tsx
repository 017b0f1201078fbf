import type { ReactNode } from 'react';
import styles from './Mark.module.css';

interface MarkProps {
  /** The colour under white letters; a pale blue without one. */
  tone?: string;
  children: ReactNode;
}

/** A small square that a card is recognised by; the card's title says the same in words. */
export function Mark({ tone, children }: MarkProps) {
  return (
    <span
      className={styles.mark}
      style={{ background: tone, color: tone && 'var(--on-tone)' }}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
