import { type ComponentType, lazy } from 'react';

/** It could not be fetched, under another address neither: a reload is what may help. */
export class PartMissing extends Error {}

/**
 * A component in a file of its own, fetched once: when it is first drawn, or earlier by `prepare`.
 * Browsers keep the failure of a file for as long as the page lives (Chromium does in 2026,
 * whatwg/html#6768): it is asked for again under another address.
 */
export function chunk<File, Props>(
  load: () => Promise<File>,
  pick: (file: File) => ComponentType<Props>,
) {
  let pending: Promise<{ default: ComponentType<Props> }> | null = null;
  let tries = 0;
  async function fetchPart() {
    try {
      return await load();
    } catch (failure) {
      tries += 1;
      return await (again<File>(failure, tries) ?? load()).catch((cause) => {
        throw tries > 1 ? new PartMissing('', { cause }) : cause;
      });
    }
  }
  const fetchOnce = () => {
    pending ??= fetchPart().then(
      (file) => ({ default: pick(file) }),
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

/** The same file under an address of its own; null where the browser does not say which it was. */
function again<File>(failure: unknown, tries: number): Promise<File> | null {
  const address = addressIn(failure);
  return address === null ? null : import(/* @vite-ignore */ `${address}?${tries}`);
}

/** Chromium and Firefox name the file in their message. */
export function addressIn(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  return /https?:\/\/\S+\.js(?=$|\s)/.exec(message)?.[0] ?? null;
}
