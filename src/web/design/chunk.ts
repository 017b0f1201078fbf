import { type ComponentType, lazy } from 'react';

/** A component in a file of its own, fetched once: when it is first drawn, or earlier by `prepare`. */
export function chunk<Props>(load: () => Promise<ComponentType<Props>>) {
  let pending: Promise<{ default: ComponentType<Props> }> | null = null;
  const fetchOnce = () => {
    pending ??= load().then(
      (component) => ({ default: component }),
      (failure) => {
        // React.lazy keeps a failure for ever: the next drawing gets a new component.
        pending = null;
        Part = lazy(fetchOnce);
        throw failure;
      },
    );
    return pending;
  };
  let Part = lazy(fetchOnce);
  return {
    get Part() {
      return Part;
    },
    /** Fetches ahead; a failure is told when the part is really needed. */
    prepare: () => void fetchOnce().catch(() => {}),
  };
}
