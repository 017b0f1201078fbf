import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isKnownZone,
  nextSending,
  offsetAt,
  parseOffset,
} from '../../../src/server/notifications/schedule/next-sending.ts';
import { localDateAt } from '../../../src/shared/calendar/wall-clock.ts';
import { bruteForce, wallClock } from './oracle.ts';

const inZone = (zone: string, hours: number, minutes: number) => ({
  ...{ hours, minutes, zone, offsetMinutes: null },
});
const atOffset = (offsetMinutes: number, hours: number, minutes: number) => ({
  ...{ hours, minutes, zone: null, offsetMinutes },
});

describe('the next sending of a daily hour', () => {
  it.each([
    [
      'Paris skips 02:30 in spring: 03:30',
      'Europe/Paris',
      2,
      30,
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'Paris has 02:30 twice in autumn: the first',
      'Europe/Paris',
      2,
      30,
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'Paris keeps 09:00 in winter',
      'Europe/Paris',
      9,
      0,
      '2026-10-25T12:00:00Z',
      '2026-10-26T08:00:00.000Z',
    ],
    [
      'Paris keeps 09:00 in summer',
      'Europe/Paris',
      9,
      0,
      '2026-03-29T12:00:00Z',
      '2026-03-30T07:00:00.000Z',
    ],
    [
      'Lord Howe skips half an hour',
      'Australia/Lord_Howe',
      2,
      15,
      '2026-10-03T12:00:00Z',
      '2026-10-03T15:45:00.000Z',
    ],
    [
      'Lord Howe repeats half an hour: the first',
      'Australia/Lord_Howe',
      1,
      45,
      '2026-04-04T12:00:00Z',
      '2026-04-04T14:45:00.000Z',
    ],
    [
      'Casablanca goes back for Ramadan',
      'Africa/Casablanca',
      9,
      0,
      '2026-02-15T12:00:00Z',
      '2026-02-16T09:00:00.000Z',
    ],
    [
      'Casablanca comes forward after Ramadan',
      'Africa/Casablanca',
      9,
      0,
      '2026-03-22T12:00:00Z',
      '2026-03-23T08:00:00.000Z',
    ],
    [
      'Nouméa never changes',
      'Pacific/Noumea',
      9,
      0,
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00.000Z',
    ],
    [
      'Miquelon changes with North America',
      'America/Miquelon',
      9,
      0,
      '2026-03-08T13:00:00Z',
      '2026-03-09T11:00:00.000Z',
    ],
  ])('%s', (_words, zone, hours, minutes, after, expected) => {
    expect(nextSending(inZone(zone, hours, minutes), new Date(after)).at.toISOString()).toBe(
      expected,
    );
  });

  it('keeps a fixed offset for ever, whatever its minutes', () => {
    const summer = nextSending(atOffset(60, 9, 0), new Date('2026-07-01T00:00:00Z'));
    expect(summer.at.toISOString()).toBe('2026-07-01T08:00:00.000Z');
    const odd = nextSending(atOffset(-570, 9, 15), new Date('2026-07-01T00:00:00Z'));
    expect(odd.at.toISOString()).toBe('2026-07-01T18:45:00.000Z');
    const east = nextSending(atOffset(840, 0, 0), new Date('2026-07-01T09:59:00Z'));
    expect(east).toEqual({ at: new Date('2026-07-01T10:00:00Z'), localDate: '2026-07-02' });
  });

  it('counts for the day of the hour, also when a gap at midnight moves it to the next', () => {
    const moved = nextSending(inZone('America/Nuuk', 23, 15), new Date('2026-03-28T12:00:00Z'));
    expect(moved).toEqual({ at: new Date('2026-03-29T01:15:00Z'), localDate: '2026-03-28' });
    const between = nextSending(inZone('America/Nuuk', 23, 15), new Date('2026-03-29T01:05:00Z'));
    expect(between).toEqual(moved);
  });

  it('is today while the hour is to come, tomorrow at the hour itself', () => {
    const nine = inZone('Europe/Paris', 9, 0);
    expect(nextSending(nine, new Date('2026-01-12T07:59:59Z')).localDate).toBe('2026-01-12');
    expect(nextSending(nine, new Date('2026-01-12T08:00:00Z')).localDate).toBe('2026-01-13');
  });

  it('never comes back to a day that was planned, when the clock or the hour is set back', () => {
    const evening = inZone('Europe/Paris', 18, 0);
    const sent = '2026-01-12';
    expect(nextSending(evening, new Date('2026-01-12T09:00:00Z'), sent).localDate).toBe(
      '2026-01-13',
    );
    expect(nextSending(evening, new Date('2025-12-01T09:00:00Z'), sent).localDate).toBe(
      '2026-01-13',
    );
  });
});

describe('offsets and zones', () => {
  it('are read from ±HHMM between -1200 and +1400, and nothing else', () => {
    expect(['+0100', '-0930', '+1400', '-1200', '-0000'].map(parseOffset)).toEqual([
      60, -570, 840, -720, 0,
    ]);
    expect(['+1401', '-1201', '0100', '+01:00', '+0160', ''].map(parseOffset)).toEqual(
      Array(6).fill(null),
    );
  });

  it('are written as the offset in force at a moment', () => {
    const paris = { zone: 'Europe/Paris', offsetMinutes: null };
    expect(offsetAt(paris, new Date('2026-01-12T00:00:00Z'))).toBe('+0100');
    expect(offsetAt(paris, new Date('2026-07-12T00:00:00Z'))).toBe('+0200');
    expect(offsetAt({ zone: null, offsetMinutes: -570 }, new Date())).toBe('-0930');
    expect(localDateAt(new Date('2026-01-12T23:30:00Z'), paris)).toBe('2026-01-13');
  });

  it('are names of places, not numbers', () => {
    expect(['Europe/Paris', 'UTC', 'Pacific/Noumea'].every(isKnownZone)).toBe(true);
    expect(['+01:00', 'Mars/Olympus', '', '../etc'].some(isKnownZone)).toBe(false);
  });
});

describe('compared with an oracle that reads the wall clock', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const start = Date.parse('2026-01-01T00:00:00Z');
  const quarters = (2 * 366 * 86_400_000) / 900_000;

  it('agrees in every zone, at any moment of two years', () => {
    const moment = fc.integer({ min: 0, max: quarters });
    const quarter = fc.integer({ min: 0, max: 95 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, quarter, (zone, step, wanted) => {
        agree(zone, new Date(start + step * 900_000), wanted);
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees around every change of every zone in two years', () => {
    const changes = zones.flatMap((zone) => changesOf(zone).map((at) => ({ zone, at })));
    expect(changes.length).toBeGreaterThan(500);
    const near = fc.integer({ min: -8, max: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...changes), near, ({ zone, at }, distance) => {
        const shown = wallClock(zone).at(at);
        const wanted = (((Math.round(shown / 15) + distance) % 96) + 96) % 96;
        agree(zone, new Date(at - 20 * 3_600_000), wanted);
      }),
      { numRuns: 1000 },
    );
  });

  function agree(zone: string, after: Date, quarter: number): void {
    const [hours, minutes] = [Math.floor(quarter / 4), (quarter % 4) * 15];
    const clock = wallClock(zone);
    const next = nextSending(inZone(zone, hours, minutes), after);
    const today = clock.at(after.getTime());
    const days = [-1, 0, 1, 2].map((more) =>
      new Date((Math.floor(today / 1440) + more) * 86_400_000).toISOString().slice(0, 10),
    );
    const expected = days
      .map((day) => ({ day, at: bruteForce(clock, day, hours, minutes) }))
      .find(({ at }) => at > after.getTime());
    expect({ day: next.localDate, at: next.at.getTime() }).toEqual(expected);
  }

  /** Instants (epoch ms) at which the distance between the wall clock and UTC changes. */
  function changesOf(zone: string): number[] {
    const clock = wallClock(zone);
    const offset = (at: number) => clock.at(at) - at / 60_000;
    const found: number[] = [];
    const week = 7 * 86_400_000;
    for (let from = start; from < start + 105 * week; from += week) {
      if (offset(from) === offset(from + week)) continue;
      found.push(halve(from, from + week));
    }
    return found;

    /** The quarter in which the offset of `from` ends. No zone changes twice within a week. */
    function halve(from: number, to: number): number {
      if (to - from === 900_000) return to;
      const middle = from + Math.floor((to - from) / 1_800_000) * 900_000;
      return offset(middle) === offset(from) ? halve(middle, to) : halve(from, middle);
    }
  }
});
