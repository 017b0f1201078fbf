import type { MouseEvent, Ref } from 'react';
import { Link } from 'wouter';
import { buttonClass, buttonContent, type Variant } from './Button.tsx';
import { isExternal } from './navigation.ts';

interface ActionLinkProps {
  variant?: Variant;
  target: string;
  onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  ref?: Ref<HTMLAnchorElement>;
  children: string;
}

/** A link that looks like a button. Specification §9: out of the app or within it as its target says. */
export function ActionLink({ variant = 'plain', target, onClick, ref, children }: ActionLinkProps) {
  const className = buttonClass(variant);
  if (!isExternal(target)) {
    return (
      <Link ref={ref} href={target} className={className}>
        {buttonContent(variant, children)}
      </Link>
    );
  }
  return (
    <a ref={ref} href={target} className={className} onClick={onClick}>
      {buttonContent(variant, children)}
    </a>
  );
}
