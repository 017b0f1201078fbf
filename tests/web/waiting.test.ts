import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/web/api/backoff.ts';
import { nextPollMs } from '../../src/web/notifications/messenger-state.ts';
import { messenger } from './messenger.ts';

const hour = 3_600_000;
const dueDate = '2026-11-21T08:00:00Z';
const at = (ms: number) => new Date(Date.parse(dueDate) + ms);

/** A message that a chat does not take. */
const waiting = messenger({
  nextDate: '2026-11-22T08:00:00Z',
  lastDelivery: {
    ...{ id: 'd1', kind: 'daily', outcome: 'pending', dueDate, sentDate: null },
    ...{ lateSeconds: null, resends: 0, reason: null, channelName: null },
  },
});

describe('what is awaited', () => {
  it('is asked for every few seconds at first', () => {
    expect(nextPollMs([waiting], at(2_000))).toBe(3_000);
    expect(backoffMs(0, 4_000)).toBe(4_000);
  });

  it('costs some calls in six hours, not thousands', () => {
    let calls = 0;
    for (let ms = 0; ms < 6 * hour; ms += nextPollMs([waiting], at(ms))) calls += 1;
    expect(calls).toBeLessThan(100);
  });

  it('does not keep the next sending from being seen', () => {
    const soon = messenger({ id: 'm2', nextDate: at(hour + 60_000).toISOString() });
    expect(nextPollMs([waiting, soon], at(hour))).toBe(61_500);
  });
});
