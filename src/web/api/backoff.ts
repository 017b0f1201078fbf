const longestMs = 5 * 60_000;

/**
 * Milliseconds until something is asked again that has been awaited for so long: `first` at the
 * beginning, then half of that time, so that a wait of hours costs some twenty calls.
 */
export function backoffMs(waitedMs: number, first: number): number {
  return Math.min(longestMs, Math.max(first, waitedMs / 2));
}
