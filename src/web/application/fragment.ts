import { useEffect, useState } from 'react';

/**
 * A value that a link carried behind its `#`, where no server and no log sees it. Null when it was
 * not there.
 */
export function useFragment(name: string): string | null {
  const [value] = useState(() => new URLSearchParams(location.hash.slice(1)).get(name));
  return value;
}

/**
 * The same, taken out of the address, so that neither the history nor a copied address keeps it.
 * Only once the page stands: React may draw one twice before that, and the second would find nothing.
 */
export function useSecretFragment(name: string): string | null {
  const value = useFragment(name);
  useEffect(() => {
    if (value !== null) {
      history.replaceState(history.state, '', location.pathname + location.search);
    }
  }, [value]);
  return value;
}
