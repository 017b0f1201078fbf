import { useRef } from 'react';
import { ActionLink } from '../design/ActionLink.tsx';
import { Button, type Variant } from '../design/Button.tsx';
import { useFreshLink } from './fresh-link.ts';

interface FreshLinkProps {
  /** Of the API, which answers with the address. */
  path: string;
  variant?: Variant;
  children: string;
}

/**
 * A link to a provider's page once its address was obtained (specification §2). Until then a button
 * stands in its place, which leads there as soon as the address comes, or says why it does not.
 */
export function FreshLink({ path, variant = 'plain', children }: FreshLinkProps) {
  const { address, follow, isFollowing } = useFreshLink(path);
  // Goes from the button to the link that replaces it.
  const hasFocus = useRef(false);
  if (!address) {
    return (
      <Button
        ref={(button) => () => {
          hasFocus.current = button === document.activeElement;
        }}
        variant={variant}
        busy={isFollowing}
        onClick={follow}
      >
        {children}
      </Button>
    );
  }
  return (
    <ActionLink
      ref={(link) => {
        if (hasFocus.current) link?.focus();
        hasFocus.current = false;
      }}
      variant={variant}
      target={address}
      onClick={follow}
    >
      {children}
    </ActionLink>
  );
}
