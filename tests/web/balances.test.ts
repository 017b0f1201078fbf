import { describe, expect, it } from 'vitest';
import type { BankAccount } from '../../src/shared/contract/banks.ts';
import { amountText } from '../../src/shared/message/amounts.ts';
import { chartOf, levelsOf, nearestPoint } from '../../src/web/banks/history/chart.ts';
import { sparkPath } from '../../src/web/banks/history/step-line.ts';
import { totalsOf } from '../../src/web/banks/totals.ts';
import { maskAmounts } from '../../src/web/money/masking.ts';
import { longDay } from '../../src/web/time/calendar.ts';
import { shortDay } from '../../src/web/time/dates.ts';

const day = (date: string, balance: number) => ({ day: date, balance });

describe('the small line', () => {
  it('holds a balance until the next one, up to the edge', () => {
    const days = [day('2026-11-01', 0), day('2026-11-02', 10), day('2026-11-03', 5)];
    expect(sparkPath(days)).toBe('M2 22H27.3V2H52.7V12H78');
  });

  it('is level when nothing changes, and for a single day', () => {
    expect(sparkPath([day('2026-11-01', -3)])).toBe('M2 12H78');
    expect(sparkPath([day('2026-11-01', 7), day('2026-11-02', 7)])).toBe('M2 12H40V12H78');
  });
});

describe('the chart', () => {
  it('has round levels around every balance', () => {
    expect(levelsOf(15_127, 15_288)).toEqual([15_100, 15_150, 15_200, 15_250, 15_300]);
    expect(levelsOf(-0.3, 0.2)).toEqual([-0.4, -0.2, 0, 0.2]);
    for (const [least, most] of [
      [0, 0],
      [-1e12, 1e12],
      [99.99, 100.01],
      [5, 5],
    ] as const) {
      const levels = levelsOf(least, most);
      expect(levels.length).toBeGreaterThanOrEqual(2);
      expect(levels.length).toBeLessThanOrEqual(6);
      expect(levels[0]).toBeLessThanOrEqual(least);
      expect(levels.at(-1)).toBeGreaterThanOrEqual(most);
    }
  });

  it('gives the day nearest to the pointer', () => {
    const { points } = chartOf([day('2026-11-01', 1), day('2026-11-02', 2), day('2026-11-05', 3)]);
    expect(nearestPoint(points, 0)).toBe(0);
    expect(nearestPoint(points, 1000)).toBe(2);
    expect(nearestPoint(points, (points[1]?.x ?? 0) + 1)).toBe(1);
  });

  it('says the first of a month as people do', () => {
    expect(longDay('2026-10-01')).toBe('jeudi 1er octobre');
    expect(longDay('2026-10-21')).toBe('mercredi 21 octobre');
    expect(shortDay('2026-10-01')).toBe('1er oct.');
    expect(shortDay('2026-10-11')).toBe('11 oct.');
  });
});

describe('the total', () => {
  const account = (part: Partial<BankAccount>): BankAccount => ({
    ...{ id: 1, name: 'Compte', type: 'checking', balance: 0, currency_code: 'EUR' },
    ...{ status: 0, state: 'ok', notice: null },
    ...{ updated_at: '2026-11-20T08:00:00Z', item: { id: 1 }, bank: { id: 1, name: 'Banque' } },
    ...part,
  });

  it('adds cents exactly, currency by currency, as old as its oldest part', () => {
    const totals = totalsOf([
      account({ balance: 0.1 }),
      account({ balance: 0.2, updated_at: '2026-11-18T08:00:00Z' }),
      account({ balance: -5, currency_code: 'USD' }),
      account({ balance: null }),
    ]);
    expect(totals).toEqual({
      sums: [
        { currency: 'EUR', balance: 0.3 },
        { currency: 'USD', balance: -5 },
      ],
      missing: 1,
      oldest: new Date('2026-11-18T08:00:00Z'),
    });
  });

  it('has no known age when one of its parts has none, and is none without a balance', () => {
    expect(totalsOf([account({}), account({ updated_at: null })])?.oldest).toBeNull();
    expect(totalsOf([account({ balance: null })])).toBeNull();
    expect(totalsOf([])).toBeNull();
  });
});

describe('hidden amounts', () => {
  it('leave their currency and everything else', () => {
    expect(maskAmounts('Total 1\u202f234,56\u00a0€, -12,00\u00a0$US, 3\u00a0CHF')).toBe(
      'Total ••••\u00a0€, ••••\u00a0$US, ••••\u00a0CHF',
    );
    expect(maskAmounts('en hausse de +120,00\u00a0€ depuis le 3 mars à 07:12')).toBe(
      'en hausse de ••••\u00a0€ depuis le 3 mars à 07:12',
    );
    expect(maskAmounts('12 comptes, 2 EURATECH')).toBe('12 comptes, 2 EURATECH');
  });

  it('hide every currency', () => {
    const readable = [...Intl.supportedValuesOf('currency'), 'ZZZ'].filter((currency) =>
      /\d/.test(maskAmounts(`${amountText(-123_456, currency)}, ${amountText(7, currency)}`)),
    );
    expect(readable).toEqual([]);
  });
});
