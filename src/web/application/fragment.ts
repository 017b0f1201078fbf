/**
 * A value that a link carried behind its `#`, where no server and no log sees it. It is taken out of
 * the address, so that neither the history nor a copied address keeps it. Null when it was not there.
 */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return value;
}
