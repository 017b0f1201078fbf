import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import styles from './Button.module.css';
import { buttonClass, type Look } from './Button.tsx';
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
        {children}
      </Link>
    );
  }
  return (
    <a href={target} className={className} onClick={onClick}>
      {children}
    </a>
  );
}

/** Nothing yet, as wide as what will be there. */
export function ActionRoom({ label }: { label: string }) {
  return <span className={`${buttonClass('plain')} ${styles.room}`} data-label={label} />;
}
