import { describe, expect, it } from 'vitest';
import { chartsOf, type DayBalance } from '../../../src/server/notifications/messages/charts.ts';

const today = '2026-01-12';
const account = (id: number, currency = 'EUR', balanceMinor: number | null = 100) => ({
  account: { id, currency, balanceMinor },
  duplicates: [] as { id: number }[],
});
const row = (account_id: number, day: string, balance_minor: number, currency = 'EUR') =>
  ({ account_id, day, balance_minor, currency }) satisfies DayBalance;

/** The days from the first to the twelfth of January. */
const january = (of: number[]) => of.map((day) => `2026-01-${String(day).padStart(2, '0')}`);

describe('A chart of the total', () => {
  it('adds up what the accounts had on each day, the oldest first', () => {
    const rows = [
      ...[row(1, '2026-01-11', 1050), row(1, today, 2000)],
      ...[row(2, '2026-01-11', -50), row(2, today, 1)],
    ];
    expect(chartsOf([account(1), account(2)], rows, today)).toEqual([
      {
        currency: 'EUR',
        points: [
          { day: '2026-01-11', value: 10 },
          { day: today, value: 20.01 },
        ],
      },
    ]);
  });

  it('takes a balance for two days more, and leaves out the days that are not known', () => {
    const rows = [row(1, '2026-01-02', 100), row(1, '2026-01-09', 300)];
    const [chart] = chartsOf([account(1)], rows, today);
    expect(chart?.points.map(({ day }) => day)).toEqual(january([2, 3, 4, 9, 10, 11]));
    expect(chart?.points.map(({ value }) => value)).toEqual([1, 1, 1, 3, 3, 3]);
  });

  it('leaves out a day on which one of its accounts is not known, but no account without a balance', () => {
    const rows = [
      ...[row(1, '2026-01-08', 1), row(1, today, 1)],
      ...[row(2, today, 5), row(2, '2026-01-11', 5)],
    ];
    const [chart] = chartsOf([account(1), account(2), account(3, 'EUR', null)], rows, today);
    expect(chart).toBeUndefined();
    const [alone] = chartsOf([account(2), account(3, 'EUR', null)], rows, today);
    expect(alone?.points).toHaveLength(2);
  });

  it('goes on with the days of an account that comes by another source since', () => {
    const both = { ...account(2), duplicates: [{ id: 1 }] };
    const rows = [
      ...[row(1, '2026-01-09', 100), row(1, '2026-01-10', 200)],
      ...[row(1, '2026-01-11', 300), row(2, '2026-01-11', 350), row(2, today, 400)],
    ];
    const [chart] = chartsOf([both], rows, today);
    expect(chart?.points.map(({ value }) => value)).toEqual([1, 2, 3.5, 4]);
  });

  it('has twenty points at most, two at least, and one chart for each of two currencies', () => {
    const days = Array.from({ length: 40 }, (_, back) =>
      new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10),
    );
    const rows = days.flatMap((day) => [
      row(1, day, 1),
      row(2, day, 5, 'JPY'),
      row(3, day, 1, 'CHF'),
    ]);
    const charts = chartsOf([account(1), account(2, 'JPY'), account(3, 'CHF')], rows, today);
    expect(charts.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
    expect(charts.map(({ points }) => points.length)).toEqual([20, 20]);
    expect(charts[1]?.points.at(-1)).toEqual({ day: today, value: 5 });
    expect(chartsOf([account(1)], [row(1, today, 1)], today)).toEqual([]);
    expect(chartsOf([], rows, today)).toEqual([]);
  });
});
