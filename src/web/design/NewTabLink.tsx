import type { AnchorHTMLAttributes } from 'react';
import { buttonClass } from './Button.tsx';

interface NewTabLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** Looks like a button unless told otherwise. Opens a new tab: one, however fast it is clicked twice. */
export function NewTabLink({
  href,
  children,
  className = buttonClass('plain'),
  ...rest
}: NewTabLinkProps) {
  return (
    <a
      {...rest}
      href={href}
      className={className}
      target="_blank"
      rel="noopener"
      onClick={(event) => event.detail > 1 && event.preventDefault()}
    >
      {children}
    </a>
  );
}
