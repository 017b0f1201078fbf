import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { buttonClass, type Look } from './Button.tsx';
import { isExternal } from './navigation.ts';

interface ActionLinkProps {
  look?: Look;
  target: string;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  children: string;
}

/** A link that looks like a button, out of the app or within it as its target says. */
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
