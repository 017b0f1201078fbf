import { readSaved, writeSaved } from '../service/saved-state.ts';

/** The one clock of application, bank and chat: it ticks as time does, some way ahead of it. */
export interface DemoClock {
  now(): Date;
  /** Forward only: what happened yesterday stays yesterday. Returns the new time. */
  advanceTo(moment: Date): Date;
}

/** `file` keeps how far ahead the clock is, so that a restarted demonstration goes on. */
export function openDemoClock(file: string, machineNow: () => number = Date.now): DemoClock {
  const saved = readSaved(file) as { aheadMs?: unknown } | null;
  let aheadMs = typeof saved?.aheadMs === 'number' ? Math.max(0, saved.aheadMs) : 0;
  const now = (): Date => new Date(machineNow() + aheadMs);
  return {
    now,
    advanceTo(moment) {
      aheadMs = Math.max(aheadMs, moment.getTime() - machineNow());
      writeSaved(file, { aheadMs });
      return now();
    },
  };
}
