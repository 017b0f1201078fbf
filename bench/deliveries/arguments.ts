import type { DatabaseChoice } from './services.ts';

/** `embedded:/folder` or an address of PostgreSQL. */
export function readDatabase(text = ''): DatabaseChoice {
  return text.startsWith('embedded:')
    ? { engine: 'embedded', folder: text.slice('embedded:'.length) }
    : { engine: 'postgres', url: text };
}

/** The hour of every notification of the benchmark: a quarter of an hour, as in the product. */
export const dueAt = new Date('2026-01-12T09:00:00Z');

/**
 * The number of deliveries of the warm-up, which are due a quarter of an hour earlier. The bare loop
 * posts as many before it is measured.
 */
export const warmUp = 5000;

/** Milliseconds that a worker has to start and to deliver the warm-up; it fails when they are too few. */
export const leadMs = 15_000;

/** A clock that shows `dueAt` when the machine's clock shows `momentMs`. */
export function clockFor(momentMs: number): { now(): Date } {
  return { now: () => new Date(dueAt.getTime() + Date.now() - momentMs) };
}

export function answer(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
