import type { ReactNode } from 'react';
import styles from './Avatar.module.css';

interface AvatarProps {
  /** The colour under white letters; a pale blue without one. */
  tone?: string;
  children: ReactNode;
}

/** A small square that a card is recognised by; the card's title says the same in words. */
export function Avatar({ tone, children }: AvatarProps) {
  return (
    <span
      className={styles.avatar}
      style={{ background: tone, color: tone && 'var(--on-tone)' }}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
