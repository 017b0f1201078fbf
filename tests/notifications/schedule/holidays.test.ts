import { describe, expect, it, test } from 'vitest';
import { holidayOn, holidaysOf } from '../../../src/server/notifications/schedule/holidays.ts';
import type { Region } from '../../../src/shared/calendar/regions.ts';
import { commonDays, movingDays, ownDays } from './holidays-table.ts';

describe('Public holidays, against a table of ten years', () => {
  const years = Object.keys(movingDays).map(Number);

  it('covers ten years', () => expect(years).toHaveLength(10));

  test.each(years)('are those of the calendar in %i, wherever in France', (year) => {
    const [friday = '', ...days] = movingDays[year] ?? [];
    for (const [region, own] of Object.entries(ownDays)) {
      const dates = own.flatMap(({ date, from = 0, to = 9999 }) =>
        year < from || year > to ? [] : [date === 'friday' ? friday : date],
      );
      const expected = [...new Set([...commonDays, ...days, ...dates])].map(
        (day) => `${year}-${day}`,
      );
      const found = holidaysOf(year, region as Region).map(({ day }) => day);
      expect(found, region).toEqual(expected.sort());
    }
  });
});

describe('Easter', () => {
  /** The earliest and the latest possible, and the exceptions that a shorter formula misses. */
  const mondays = [
    '1818-03-23',
    '1943-04-26',
    '1954-04-19',
    '1981-04-20',
    '2000-04-24',
    '2285-03-23',
  ];
  test.each(mondays)('has its Monday on %s', (day) => {
    expect(holidayOn(day, 'metropole')?.name).toBe('Lundi de Pâques');
  });
});

test('a day that is two holidays stands once', () => {
  const days = holidaysOf(2008, 'metropole').map(({ day }) => day);
  expect(days.filter((day) => day === '2008-05-01')).toHaveLength(1);
});

test('every other day is a working day', () => {
  expect(holidayOn('2026-11-10', 'metropole')).toBeNull();
  expect(holidayOn('2026-12-26', 'metropole')).toBeNull();
  expect(holidayOn('2026-12-26', 'alsace-moselle')?.name).toBe('Saint-Étienne');
});
