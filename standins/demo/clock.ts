import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The one clock of application, bank and chat: it ticks as time does, some way ahead of it. */
export interface DemoClock {
  now(): Date;
  /** Forward only: what happened yesterday stays yesterday. Returns the new time. */
  advanceTo(moment: Date): Date;
}

/** `file` keeps how far ahead the clock is, so that a restarted demonstration goes on. */
export function openDemoClock(file: string, machineNow: () => number = Date.now): DemoClock {
  let aheadMs = readAhead(file);
  const now = (): Date => new Date(machineNow() + aheadMs);
  return {
    now,
    advanceTo(moment) {
      aheadMs = Math.max(aheadMs, moment.getTime() - machineNow());
      writeAhead(file, aheadMs);
      return now();
    },
  };
}

function readAhead(file: string): number {
  try {
    const { aheadMs } = JSON.parse(readFileSync(file, 'utf8')) as { aheadMs?: unknown };
    return typeof aheadMs === 'number' && aheadMs > 0 ? aheadMs : 0;
  } catch {
    return 0;
  }
}

/** Whole or not at all: a process may be killed between any two lines. */
function writeAhead(file: string, aheadMs: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify({ aheadMs }));
  renameSync(`${file}.new`, file);
}
