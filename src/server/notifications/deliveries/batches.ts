export interface Batches<T> {
  add(item: T): void;
  /** What was added and is not written yet. */
  readonly size: number;
  /** Resolves once everything added before is written. */
  flush(): Promise<void>;
}

/**
 * Gathers items for a moment and writes them together, one write at a time and in order. `write`
 * must not throw: it tries again by itself.
 */
export function createBatches<T>(
  options: { delayMs: number; most: number },
  write: (items: T[]) => Promise<void>,
): Batches<T> {
  const gathered: T[] = [];
  let writing: Promise<void> | null = null;
  let inWriting = 0;
  let timer: NodeJS.Timeout | null = null;

  async function drain(): Promise<void> {
    while (gathered.length > 0) {
      const items = gathered.splice(0, options.most);
      inWriting = items.length;
      await write(items);
      inWriting = 0;
    }
    writing = null;
  }

  function start(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing ??= drain();
    return writing;
  }

  return {
    add(item) {
      gathered.push(item);
      if (writing || timer) return;
      timer = setTimeout(start, options.delayMs);
    },
    get size() {
      return gathered.length + inWriting;
    },
    async flush() {
      while (gathered.length + inWriting > 0) await start();
    },
  };
}
