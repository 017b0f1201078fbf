import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import styles from './Button.module.css';
import { buttonClass, faceOf, type Look } from './Button.tsx';
import { isExternal } from './navigation.ts';

interface ActionLinkProps {
  look?: Look;
  target: string;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  children: string;
}

/** A link that looks like a button. Specification §9: out of the app or within it as its target says. */
export function ActionLink({ look = 'plain', target, onClick, children }: ActionLinkProps) {
  const className = buttonClass(look);
  if (!isExternal(target)) {
    return (
      <Link href={target} className={className}>
        {faceOf(look, children)}
      </Link>
    );
  }
  return (
    <a href={target} className={className} onClick={onClick}>
      {faceOf(look, children)}
    </a>
  );
}

/** Nothing yet, as wide as what will be there. */
export function ActionRoom({ label, look = 'plain' }: { label: string; look?: Look }) {
  return (
    <span className={`${buttonClass(look)} ${styles.room}`} data-label={label}>
      {faceOf(look, null)}
    </span>
  );
}
