import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { localStorageText } from '../browser/local-storage.ts';

const { read, write } = localStorageText('tirelire.heights');

/** What leaves the screen with a session is not remembered: it says how many banks its owner has. */
let isForgotten = false;

interface Drawn {
  /** Of the window, in pixels: at another one the heights say nothing. */
  width: number;
  heights: number[];
}

/**
 * How high the parts of a list were when it was last drawn in a window of this width; null if unknown.
 */
export function useRecordedHeights(list: string): number[] | null {
  const [heights] = useState(() => {
    const drawn = stored()[list];
    return drawn?.width === innerWidth && drawn.heights.length > 0 ? drawn.heights : null;
  });
  return heights;
}

/**
 * Remembers the heights of a list's parts when it leaves the screen, for the next visit. `parts` gives
 * those that are drawn, or null while they are still read.
 */
export function useHeightRecorder(list: string, parts: () => Iterable<Element> | null): void {
  const remember = useEffectEvent(() => {
    const drawn = isForgotten ? null : parts();
    if (!drawn) return;
    const heights = Array.from(drawn, (part) => part.getBoundingClientRect().height);
    write(JSON.stringify({ ...stored(), [list]: { width: innerWidth, heights } }));
  });
  useLayoutEffect(() => {
    isForgotten = false;
    const leaving = new AbortController();
    addEventListener('pagehide', remember, leaving);
    // "pagehide" does not come to a page that is closed from the list of a phone's programs.
    document.addEventListener('visibilitychange', remember, leaving);
    return () => {
      leaving.abort();
      remember();
    };
  }, []);
}

/** At the end of a session. */
export function forgetHeights(): void {
  isForgotten = true;
  write(null);
}

function stored(): Record<string, Drawn | undefined> {
  try {
    return JSON.parse(read() ?? '{}');
  } catch {
    return {};
  }
}
