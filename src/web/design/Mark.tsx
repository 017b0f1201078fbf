import type { ReactNode } from 'react';
import styles from './Mark.module.css';

interface MarkProps {
  /** 0 to 7: the colour of its ground; a pale blue without one. */
  tone?: number;
  children: ReactNode;
}

/** A small square that a card is recognised by; the card's title says the same in words. */
export function Mark({ tone, children }: MarkProps) {
  return (
    <span className={styles.mark} data-tone={tone} aria-hidden="true">
      {children}
    </span>
  );
}
