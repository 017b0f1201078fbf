import type { LogEvent } from 'kysely';

/** Gives what `read` gave before under the same key, as long as it is surely still true. */
export type Remember = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/** On a server that other processes write to, nothing stays true for sure. */
export const forget: Remember = (_key, read) => read();

/**
 * For the embedded engine, where this process is the only one that writes: what was read stays true
 * until any statement but a select has run, which empties the memory whole. A read is kept under the
 * state it began in: one that overlaps a write is asked again.
 */
export function createMemory(limit = 2000): { remember: Remember; notice(event: LogEvent): void } {
  let known = new Map<string, Promise<unknown>>();
  const remember: Remember = (key, read) => {
    const kept = known.get(key);
    // The key names one kind of row, so what is kept under it has the type that is asked for.
    if (kept) return kept as ReturnType<typeof read>;
    const reading = read();
    const memory = known;
    if (memory.size >= limit) memory.clear();
    memory.set(key, reading);
    reading.catch(() => memory.delete(key));
    return reading;
  };
  return {
    remember,
    notice(event) {
      if (event.query.query.kind !== 'SelectQueryNode' && known.size > 0) known = new Map();
    },
  };
}
