/** One thing that was looked at. What is not well comes with what mends it. All words are French. */
export interface Finding {
  level: 'well' | 'warning' | 'fault';
  about: string;
  words: string;
  /** What to do; absent when all is well. */
  mend?: string;
}

export function well(about: string, words: string): Finding {
  return { level: 'well', about, words };
}

/** It runs, and somebody should know. */
export function warning(about: string, words: string, mend: string): Finding {
  return { level: 'warning', about, words, mend };
}

/** People will notice, or do already. */
export function fault(about: string, words: string, mend: string): Finding {
  return { level: 'fault', about, words, mend };
}
