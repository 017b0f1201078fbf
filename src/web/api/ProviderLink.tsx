import { useRef, useState } from 'react';
import { ActionLink } from '../design/ActionLink.tsx';
import { Button, type Variant } from '../design/Button.tsx';
import { useProviderLink } from './provider-link.ts';

interface ProviderLinkProps {
  /** Of the API, which answers with the address. */
  path: string;
  variant?: Variant;
  children: string;
}

/**
 * A link to a provider's page once its address was obtained (specification §2). Until then a button
 * stands in its place, which leads there as soon as the address comes, or says why it does not.
 */
export function ProviderLink({ path, variant = 'plain', children }: ProviderLinkProps) {
  const { address, follow, isFollowing } = useProviderLink(path);
  // Goes from the button to the link that replaces it.
  const hasFocus = useRef(false);
  // Replaced between the beginning and the end of a press, the button would get no click.
  const [isPressed, setPressed] = useState(false);
  const release = () => setPressed(false);
  if (!address || isPressed) {
    return (
      <Button
        ref={(button) => () => {
          // React runs this cleanup before it removes the button, which still has its focus.
          hasFocus.current = button === document.activeElement;
        }}
        variant={variant}
        busy={isFollowing}
        onPointerDown={() => setPressed(true)}
        onKeyDown={({ key }) => setPressed(key === ' ')}
        onPointerCancel={release}
        // A finger that is lifted also leaves, before its click.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && release()}
        onBlur={release}
        // What ends a press: its click comes after `pointerup`, and after `keyup` of the space bar.
        onClick={(event) => {
          release();
          follow(event);
        }}
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
