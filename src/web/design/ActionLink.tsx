import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import styles from './Button.module.css';
import { buttonClass, faceOf, type Variant } from './Button.tsx';
import { isExternal } from './navigation.ts';

interface ActionLinkProps {
  variant?: Variant;
  target: string;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  children: string;
}

/** A link that looks like a button. Specification §9: out of the app or within it as its target says. */
export function ActionLink({ variant = 'plain', target, onClick, children }: ActionLinkProps) {
  const className = buttonClass(variant);
  if (!isExternal(target)) {
    return (
      <Link href={target} className={className}>
        {faceOf(variant, children)}
      </Link>
    );
  }
  return (
    <a href={target} className={className} onClick={onClick}>
      {faceOf(variant, children)}
    </a>
  );
}

/** Nothing yet, as wide as what will be there. */
export function ActionRoom({ label, variant = 'plain' }: { label: string; variant?: Variant }) {
  return (
    <span className={`${buttonClass(variant)} ${styles.room}`} data-label={label}>
      {faceOf(variant, null)}
    </span>
  );
}
