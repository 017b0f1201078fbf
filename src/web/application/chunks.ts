import { type ComponentType, lazy } from 'react';

/** A part of the app in a file of its own, fetched once, as soon as somebody asks or hints. */
export function chunk<Props>(load: () => Promise<ComponentType<Props>>) {
  let pending: Promise<{ default: ComponentType<Props> }> | null = null;
  const fetchOnce = () => {
    pending ??= load().then(
      (component) => ({ default: component }),
      (failure) => {
        // React remembers a failure for good: the next one who asks gets a new part.
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
