import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { holidayOn } from '../../../src/server/notifications/schedule/holidays.ts';
import {
  daysOf,
  maskOf,
  nextSending,
  type Schedule,
  sendingsFrom,
} from '../../../src/server/notifications/schedule/next-sending.ts';
import { dueDays } from '../../../src/server/notifications/schedule/occurrences.ts';

const nine: Schedule = { hours: 9, minutes: 0, zone: 'Europe/Paris', offsetMinutes: null };
const workdays = maskOf([1, 2, 3, 4, 5]);

function daysFrom(schedule: Schedule, after: string, count = 5): string[] {
  const first = nextSending(schedule, new Date(after));
  return sendingsFrom(schedule, first, count).map(({ localDate }) => localDate);
}

describe('Days of rest', () => {
  test('on working days nothing goes out on Saturday and Sunday', () => {
    expect(daysFrom({ ...nine, days: workdays }, '2026-11-19T12:00:00Z')).toEqual([
      ...['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
    ]);
  });

  test('the day is that of the notification’s own calendar', () => {
    const late: Schedule = { ...nine, hours: 0, days: maskOf([1]), zone: 'Pacific/Auckland' };
    const { at, localDate } = nextSending(late, new Date('2026-11-21T00:00:00Z'));
    expect([at.toISOString(), localDate]).toEqual(['2026-11-22T11:00:00.000Z', '2026-11-23']);
  });

  test('public holidays of the region are skipped, of others not', () => {
    const around = '2026-12-24T12:00:00Z';
    expect(daysFrom({ ...nine, holidays: 'metropole' }, around, 3)).toEqual([
      ...['2026-12-26', '2026-12-27', '2026-12-28'],
    ]);
    expect(daysFrom({ ...nine, holidays: 'alsace-moselle' }, around, 1)).toEqual(['2026-12-27']);
    expect(daysFrom(nine, around, 1)).toEqual(['2026-12-25']);
  });

  test('a pause ends on its day', () => {
    const paused = { ...nine, pausedUntil: '2026-12-01' };
    expect(daysFrom(paused, '2026-11-21T12:00:00Z', 2)).toEqual(['2026-12-01', '2026-12-02']);
    expect(daysFrom(paused, '2026-12-01T12:00:00Z', 1)).toEqual(['2026-12-02']);
    expect(
      daysFrom(
        { ...paused, days: workdays, holidays: 'metropole', pausedUntil: '2026-12-25' },
        '2026-11-21T12:00:00Z',
        1,
      ),
    ).toEqual(['2026-12-28']);
  });

  test('a day that was sent never sends again, whatever rests', () => {
    const { localDate } = nextSending(
      { ...nine, days: workdays },
      new Date('2026-11-20T07:00:00Z'),
      '2026-11-20',
    );
    expect(localDate).toBe('2026-11-23');
  });

  it('leaves exactly the days that a calendar read day by day leaves', () => {
    const masks = fc.integer({ min: 1, max: 127 });
    const days = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2030-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(masks, fc.boolean(), days, (mask, skips, from) => {
        const holidays = skips ? ('guadeloupe' as const) : null;
        const utc: Schedule = { hours: 12, minutes: 0, zone: null, offsetMinutes: 0 };
        const found = nextSending({ ...utc, days: mask, holidays }, from).at;
        const noon = new Date(from);
        noon.setUTCHours(12, 0, 0, 0);
        while (noon <= from || rests(noon, mask, skips)) noon.setUTCDate(noon.getUTCDate() + 1);
        expect(found).toEqual(noon);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

function rests(day: Date, mask: number, skips: boolean): boolean {
  const weekday = day.getUTCDay() || 7;
  const date = day.toISOString().slice(0, 10);
  return !daysOf(mask).includes(weekday) || (skips && holidayOn(date, 'guadeloupe') !== null);
}

describe('After an outage', () => {
  const sixHours = 6 * 3_600_000;
  it('a day of rest was not missed', () => {
    const { occurrences, next } = dueDays(
      { ...nine, days: workdays, holidays: 'metropole' },
      '2026-05-11',
      new Date('2026-05-18T08:00:00Z'),
      sixHours,
    );
    expect(occurrences.map(({ localDate, isUseful }) => [localDate, isUseful])).toEqual([
      ['2026-05-12', false],
      ['2026-05-13', false],
      ['2026-05-15', false],
      ['2026-05-18', true],
    ]);
    expect(next.at).toEqual(new Date('2026-05-19T07:00:00Z'));
  });

  it('nothing was missed before the end of a pause', () => {
    const { occurrences } = dueDays(
      { ...nine, pausedUntil: '2026-05-16' },
      '2026-05-11',
      new Date('2026-05-17T08:00:00Z'),
      sixHours,
    );
    expect(occurrences.map(({ localDate }) => localDate)).toEqual(['2026-05-16', '2026-05-17']);
  });
});

test('days of the week are stored in a number and come back as they were', () => {
  for (let mask = 1; mask <= 127; mask += 1) expect(maskOf(daysOf(mask))).toBe(mask);
  expect(daysOf(127)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
