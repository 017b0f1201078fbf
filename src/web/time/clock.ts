import { useSyncExternalStore } from 'react';

/** Below this the Date header's whole seconds and the way of the answer explain the difference. */
const toleranceMs = 5_000;
const tickMs = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let aheadMs = 0;
let shown = Date.now();

/** The only reading of the machine's clock, corrected to the server's. */
export function now(): Date {
  return new Date(Date.now() + aheadMs);
}

/** Relative dates follow the server's time: a wrong local clock must not make data look old. */
export function followServerClock(dateHeader: string | null): void {
  const server = Date.parse(dateHeader ?? '');
  if (Number.isNaN(server)) return;
  const ahead = server - Date.now();
  const next = Math.abs(ahead) < toleranceMs ? 0 : ahead;
  if (Math.abs(next - aheadMs) < toleranceMs) return;
  aheadMs = next;
  tick();
}

/** The present, renewed twice a minute. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, () => shown));
}

/** One timer for all who listen, for as long as there is one. */
export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    shown = now().getTime();
    timer = setInterval(tick, tickMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  shown = now().getTime();
  for (const listener of listeners) listener();
}
