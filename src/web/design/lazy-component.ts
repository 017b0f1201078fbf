import { type ComponentType, lazy } from 'react';

/** It could not be fetched, under another address neither: a reload is what may help. */
export class ChunkLoadError extends Error {}

/**
 * A component in a file of its own, fetched once: when it is first drawn, or earlier by `preload`.
 * Browsers keep the failure of a file for as long as the page lives (Chromium does in 2026,
 * whatwg/html#6768): it is asked for again under another address.
 */
export function lazyComponent<File, Props>(
  load: () => Promise<File>,
  pick: (file: File) => ComponentType<Props>,
) {
  let pending: Promise<{ default: ComponentType<Props> }> | null = null;
  let tries = 0;
  /** The style sheet that is missing: a further import would draw the component without it. */
  let sheet: string | null = null;
  async function fetchFile() {
    try {
      if (sheet === null) return await load();
    } catch (failure) {
      sheet = sheetIn(failure);
      if (sheet === null) return await retry(() => again<File>(failure, tries) ?? load());
    }
    return await retry(restyled);
  }
  async function retry(fetch: () => Promise<File>) {
    tries += 1;
    return await fetch().catch((cause) => {
      throw tries > 1 ? new ChunkLoadError('', { cause }) : cause;
    });
  }
  async function restyled() {
    await addSheet(`${sheet}?${tries}`);
    sheet = null;
    return await load();
  }
  const fetchOnce = () => {
    pending ??= fetchFile().then(
      (file) => ({ default: pick(file) }),
      (failure) => {
        // React.lazy keeps a failure for ever: the next drawing gets a new component.
        pending = null;
        Component = lazy(fetchOnce);
        throw failure;
      },
    );
    return pending;
  };
  let Component = lazy(fetchOnce);
  return {
    get Component() {
      return Component;
    },
    /** Fetches ahead; a failure is told when the component is really needed. */
    preload: () => void fetchOnce().catch(() => {}),
  };
}

/** The same file under an address of its own; null where the browser does not say which it was. */
function again<File>(failure: unknown, tries: number): Promise<File> | null {
  const address = addressIn(failure);
  return address === null ? null : import(/* @vite-ignore */ `${address}?${tries}`);
}

/** Settles with the loading of the sheet. */
function addSheet(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`The style sheet ${address} could not be loaded.`));
    document.head.append(link);
  });
}

/** Vite names it in the message of its own. */
function sheetIn(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  return /^Unable to preload CSS for (\S+\.css)$/.exec(message)?.[1] ?? null;
}

/** Chromium and Firefox name the file in their message. */
export function addressIn(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  return /https?:\/\/\S+\.js(?=$|\s)/.exec(message)?.[0] ?? null;
}
