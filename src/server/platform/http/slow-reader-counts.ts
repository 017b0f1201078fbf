import { hourMs } from '../../../shared/calendar/durations.ts';
import { monotonicMs } from '../clock.ts';

/**
 * Remembers in this process which addresses left answers unread, and refuses their requests for a
 * while once they did so often: a second after the first beyond `tolerated`, then twice as long each time,
 * a minute at most, because several people may share an address. An hour without another one forgets.
 */
export class SlowReaderCounts {
  readonly #monotonicMs: () => number;
  /** In the order of the last one. */
  readonly #counts = new Map<string, { count: number; at: number }>();

  constructor(now = monotonicMs) {
    this.#monotonicMs = now;
  }

  add(address: string): void {
    const at = this.#monotonicMs();
    const before = this.#find(address)?.count ?? 0;
    this.#counts.delete(address);
    this.#counts.set(address, { count: before + 1, at });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxAddresses && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** For how long requests of this address are refused, in seconds; 0 when they are not. */
  secondsLeft(address: string): number {
    const found = this.#find(address);
    if (!found || found.count <= tolerated) return 0;
    const delayMs = Math.min(1000 * 2 ** (found.count - tolerated - 1), longestDelayMs);
    return Math.max(0, Math.ceil((found.at + delayMs - this.#monotonicMs()) / 1000));
  }

  #find(address: string): { count: number; at: number } | undefined {
    const found = this.#counts.get(address);
    return found && this.#monotonicMs() - found.at < forgottenAfterMs ? found : undefined;
  }
}

/** A telephone that loses its network leaves an answer unread too. */
const tolerated = 20;
const longestDelayMs = 60_000;
const forgottenAfterMs = hourMs;
const maxAddresses = 10_000;
