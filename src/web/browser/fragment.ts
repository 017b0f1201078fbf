import { useEffect, useState } from 'react';

interface Fragment {
  /** Null when it was not there. */
  value: string | null;
  /** Another number for each link opened over the page: a key for what belongs to one of them. */
  opened: number;
}

/** A value that a link carried behind its `#`, where no server and no log sees it. */
export function useFragment(name: string): Fragment {
  const [fragment, setFragment] = useState<Fragment>(() => ({
    value: fragmentValue(name),
    opened: 0,
  }));
  useEffect(() => {
    const open = () => {
      const value = fragmentValue(name);
      if (value !== null) setFragment(({ opened }) => ({ value, opened: opened + 1 }));
    };
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, [name]);
  return fragment;
}

/**
 * The same, taken out of the address, so that neither the history nor a copied address keeps it.
 * In an effect: React may render twice before that, and a second render would find nothing.
 */
export function useSecretFragment(name: string): Fragment {
  const fragment = useFragment(name);
  useEffect(() => {
    if (fragment.value === null) return;
    history.replaceState(history.state, '', location.pathname + location.search);
  }, [fragment]);
  return fragment;
}

function fragmentValue(name: string): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name);
}
