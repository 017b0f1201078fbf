import type { Demonstration } from './demonstration.ts';

/** The demonstration's one clock. It only goes forward. */
export interface DemoClock {
  now(): Promise<Date>;
  /** Stops a second before `moment`, so that what is due then happens on time. */
  advanceTo(moment: Date): Promise<void>;
}

export function clockOf({ pageUrl }: Pick<Demonstration, 'pageUrl'>): DemoClock {
  const address = `${pageUrl}/_control/clock`;
  return {
    async now() {
      const response = await fetch(address);
      const { now } = (await response.json()) as { now: string };
      return new Date(now);
    },
    async advanceTo(moment) {
      const to = new Date(moment.getTime() - 1_000).toISOString();
      await fetch(address, { method: 'POST', body: new URLSearchParams({ to }) });
    },
  };
}
