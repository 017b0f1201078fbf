/** A bell within one process: who waits for a kind of job hears at once that one was committed. */
export interface Announcements<N extends string> {
  announce(name: N): void;
  /** Returns what ends the listening. */
  onAnnounced(name: N, listener: () => void): () => void;
}

export function createAnnouncements<N extends string>(): Announcements<N> {
  const listeners = new Map<N, Set<() => void>>();
  return {
    announce(name) {
      for (const listener of listeners.get(name) ?? []) listener();
    },
    onAnnounced(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => void ofName.delete(listener);
    },
  };
}
