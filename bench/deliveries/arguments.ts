import type { DatabaseChoice } from './parts.ts';

/** `embedded:/folder` or an address of PostgreSQL. */
export function readDatabase(text = ''): DatabaseChoice {
  return text.startsWith('embedded:')
    ? { engine: 'embedded', folder: text.slice('embedded:'.length) }
    : { engine: 'postgres', url: text };
}

/** The hour of every notification of the benchmark: a quarter, as the product has. */
export const dueAt = new Date('2026-01-12T09:00:00Z');

/**
 * So many are due a quarter earlier and sent before the measuring, and the bare loop posts as many
 * before its own: neither is new at 09:00.
 */
export const warmUp = 5000;

/** A clock on which `dueAt` comes at `momentMs` of the machine's own. */
export function clockFor(momentMs: number): { now(): Date } {
  return { now: () => new Date(dueAt.getTime() + Date.now() - momentMs) };
}

export function answer(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
