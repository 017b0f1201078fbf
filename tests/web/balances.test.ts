import { describe, expect, it } from 'vitest';
import type { BankAccount, DailyBalance } from '../../src/shared/contract/banks.ts';
import {
  chartBox,
  chartOf,
  levelsOf,
  levelTexts,
  nearestPoint,
} from '../../src/web/banks/history/chart.ts';
import { sparklinePath } from '../../src/web/banks/history/step-line.ts';
import { isAlsoElsewhere, totalsOf } from '../../src/web/banks/totals.ts';
import { curveOf, fromFirstKnown } from '../../src/web/banks/treasury/curve.ts';
import {
  changeSince,
  lastDays,
  reasonWithoutChange,
  totalsByDay,
} from '../../src/web/banks/treasury/past-totals.ts';
import { longDay } from '../../src/web/time/calendar.ts';
import { shortDay } from '../../src/web/time/dates.ts';

const day = (date: string, balance: number) => ({ day: date, balance });

describe('the small line', () => {
  it('holds a balance until the next one, up to the edge', () => {
    const days = [day('2026-11-01', 0), day('2026-11-02', 10), day('2026-11-03', 5)];
    expect(sparklinePath(days)).toBe('M2 22H27.3V2H52.7V12H78');
  });

  it('is level when nothing changes, and for a single day', () => {
    expect(sparklinePath([day('2026-11-01', -3)])).toBe('M2 12H78');
    expect(sparklinePath([day('2026-11-01', 7), day('2026-11-02', 7)])).toBe('M2 12H40V12H78');
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

  it.each([
    [[15_127, 15_288], '15 100 | 15 150 | 15 200 | 15 250 | 15 300'],
    [[-0.3, 0.2], '−0,4 | −0,2 | 0 | 0,2'],
    [[1_250_000, 1_253_000], '1,25 M | 1,251 M | 1,252 M | 1,253 M'],
    [[999_500, 1_001_500], '0,9995 M | 1 M | 1,0005 M | 1,001 M | 1,0015 M'],
    [[1_250_000, 1_250_003], '1 250 000 | 1 250 001 | 1 250 002 | 1 250 003'],
    [[-3e6, 3e6], '−4 M | −2 M | 0 | 2 M | 4 M'],
    [[1.5e9, 3e9], '1,5 Md | 2 Md | 2,5 Md | 3 Md'],
  ] as const)('tells the levels of %j apart', ([least, most], texts) => {
    const written = levelTexts(levelsOf(least, most)).join(' | ');
    expect(written.replaceAll('\u202f', ' ')).toBe(texts);
  });

  it('keeps the room that its levels need', () => {
    const { left } = chartOf([
      day('2026-11-01', -1_250_000_000),
      day('2026-11-02', -1_250_000_003),
    ]);
    expect(left).toBeGreaterThan('−1 250 000 003'.length * 8);
    expect(left).toBeLessThan(chartBox.width / 2);
    expect(chartOf([day('2026-11-01', 15_127), day('2026-11-02', 15_288)]).left).toBe(64);
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

const account = (part: Partial<BankAccount>): BankAccount => ({
  ...{ id: 1, name: 'Compte', type: 'checking', balance: 0, currency_code: 'EUR' },
  ...{ status: 0, state: 'ok', notice: null },
  ...{ updated_at: '2026-11-20T08:00:00Z', item: { id: 1 }, bank: { id: 1, name: 'Banque' } },
  ...part,
});

describe('the total', () => {
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

describe('an account that comes through two banks', () => {
  const iban_print = 'same';
  const [first, second] = [
    account({ id: 1, iban_print }),
    account({ id: 2, iban_print, item: { id: 9 } }),
  ];

  it('stays when either of them is deleted', () => {
    expect(isAlsoElsewhere([first], [first, second])).toBe(true);
    expect(isAlsoElsewhere([second], [first, second])).toBe(true);
  });

  it('does not where there is no other', () => {
    expect(isAlsoElsewhere([first], [first])).toBe(false);
    expect(isAlsoElsewhere([first], [first, account({ id: 3 })])).toBe(false);
  });
});

describe('the change of the total', () => {
  const accounts = [
    account({ id: 1, balance: 110.3 }),
    account({ id: 2, balance: 50 }),
    account({ id: 3, balance: 7, currency_code: 'USD' }),
    account({ id: 4, balance: null }),
  ];
  const yesterday = '2026-11-19';
  const known = (balance: number, currency_code = 'EUR', date = yesterday): DailyBalance => ({
    ...{ day: date, balance, currency_code, as_of: `${date}T08:00:00Z` },
  });

  it('is that of every account, to the cent, when each has a balance of that day', () => {
    const histories = new Map([
      [1, [known(110.1)]],
      [2, [known(50.1)]],
      [3, [known(9, 'USD')]],
      [4, [known(1000)]],
    ]);
    expect(changeSince(yesterday, 'EUR', accounts.slice(0, 3), histories)).toEqual({
      ...{ amount: 0.1, compared: 2, accounts: 2 },
    });
    expect(changeSince(yesterday, 'USD', accounts, histories)).toEqual({
      ...{ amount: -2, compared: 1, accounts: 1 },
    });
  });

  it('leaves out accounts without a balance now or on that day, and counts them as a message does', () => {
    const histories = new Map([
      [1, [known(100.3)]],
      [2, [known(12, 'EUR', '2026-11-18')]],
    ]);
    expect(changeSince(yesterday, 'EUR', accounts, histories)).toEqual({
      ...{ amount: 10, compared: 1, accounts: 3 },
    });
  });

  it('leaves out an account whose figure is itself of that day', () => {
    const newest = `${yesterday}T08:00:00Z`;
    const unrenewed = [account({ id: 1, balance: 100, updated_at: newest }), account({ id: 2 })];
    const histories = new Map([
      [1, [known(100)]],
      [2, [known(50)]],
    ]);
    expect(changeSince(yesterday, 'EUR', unrenewed, histories)).toMatchObject({
      ...{ compared: 1, accounts: 2 },
    });
    expect(changeSince(yesterday, 'EUR', unrenewed.slice(0, 1), histories)).toBeNull();
    const undated = [account({ id: 1, balance: 101, updated_at: null })];
    expect(changeSince(yesterday, 'EUR', undated, histories)).toMatchObject({ amount: 1 });
  });

  it('says why there is none since yesterday', () => {
    const now = new Date('2026-11-20T09:00:00Z');
    const today = '2026-11-20';
    const reason = (currency: string, days: string[], dollarDays: string[] = [today]) => {
      const histories = new Map([
        ...[1, 2].map((id) => [id, days.map((date) => known(1, 'EUR', date))] as const),
        [3, dollarDays.map((date) => known(1, 'USD', date))],
      ]);
      return reasonWithoutChange(currency, accounts, histories, now);
    };
    expect(reason('EUR', [today])).toBe('Évolution dès demain');
    expect(reason('EUR', ['2026-11-18', yesterday])).toBe('Aucun solde plus récent');
    expect(reason('EUR', ['2026-11-18'])).toBe("Soldes d'hier inconnus");
    // Each currency by its own accounts.
    expect(reason('USD', ['2026-11-18', yesterday])).toBe('Évolution dès demain');
    expect(reason('EUR', [today], ['2026-11-18'])).toBe('Évolution dès demain');
    // A statement that ends yesterday, beside a bank that was linked today.
    const ended = account({ id: 5, updated_at: `${yesterday}T08:00:00Z` });
    const mixed = [...accounts, ended];
    const days = new Map([
      [1, [known(1, 'EUR', today)]],
      [5, [known(1, 'EUR', yesterday)]],
    ]);
    expect(reasonWithoutChange('EUR', mixed, days, now)).toBe('Évolution dès demain');
    // Given before all days of its history that are read.
    const old = [account({ id: 1, updated_at: '2026-09-20T08:00:00Z' })];
    expect(reasonWithoutChange('EUR', old, new Map(), now)).toBe("Soldes d'hier inconnus");
  });

  it('is none where no account can be compared, in its own currency', () => {
    expect(changeSince(yesterday, 'EUR', accounts, new Map())).toBeNull();
    const histories = new Map([[1, [known(100, 'USD')]]]);
    expect(changeSince(yesterday, 'EUR', accounts, histories)).toBeNull();
  });

  it('counts days in Paris, whatever the clock of the browser, and over a change of time', () => {
    expect(lastDays(3, new Date('2026-11-20T23:30:00Z'))).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ]);
    expect(lastDays(3, new Date('2026-10-26T12:00:00Z'))).toEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-26',
    ]);
    expect(new Set(lastDays(90, new Date('2026-04-10T22:30:00Z'))).size).toBe(90);
  });

  it('looks for an earlier day of an account also through the other source that it comes by', () => {
    const days = ['2026-11-18', yesterday, '2026-11-20'];
    const through = (id: number, balance: number, date: string) =>
      account({
        ...{ id, item: { id }, balance, iban_print: 'same', updated_at: `${date}T06:00:00Z` },
      });
    const twice = [through(1, 101, yesterday), through(2, 110, '2026-11-20')];
    const histories = new Map([
      [1, [known(100, 'EUR', '2026-11-18'), known(101)]],
      [2, [known(110, 'EUR', '2026-11-20')]],
    ]);
    expect(totalsByDay(days, 'EUR', twice, histories)).toEqual([100, 101, 110]);
    expect(changeSince(yesterday, 'EUR', twice, histories)).toEqual({
      ...{ amount: 9, compared: 1, accounts: 1 },
    });
  });

  it('has no day on the curve that is not known for every account in the total', () => {
    const days = ['2026-11-17', '2026-11-18', '2026-11-19'];
    const histories = new Map([
      [1, days.map((date) => known(100, 'EUR', date))],
      // Added on the second day; account 4 is not in the total.
      [2, days.slice(1).map((date) => known(0.1, 'EUR', date))],
    ]);
    expect(totalsByDay(days, 'EUR', accounts, histories)).toEqual([null, 100.1, 100.1]);
    expect(totalsByDay(days, 'USD', accounts, histories)).toEqual([null, null, null]);
  });
});

describe('the curve of the total', () => {
  it('runs from day to day, and leaves days that are not known empty', () => {
    const { points, line, area } = curveOf([0, 10, null, 5, null, 10, 10]);
    expect(points.map(({ index }) => index)).toEqual([0, 1, 3, 5, 6]);
    expect(line).toBe('M0 94L16.67 6M50 50h0M83.33 6L100 6');
    expect(area).toBe('M0 94L16.67 6V100H0ZM83.33 6L100 6V100H83.33Z');
  });

  it('begins with the first day that is known, and keeps the gaps after it', () => {
    const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
    expect(fromFirstKnown(days, [null, null, 3, null, 5])).toEqual({
      days: days.slice(2),
      totals: [3, null, 5],
    });
    expect(fromFirstKnown(days, [1, null, 3, null, null]).days).toEqual(days);
    expect(fromFirstKnown(days.slice(3), [null, null]).totals).toEqual([null, null]);
  });

  it('is level in the middle when nothing changes, and nothing without a known day', () => {
    expect(curveOf([3, 3]).line).toBe('M0 50L100 50');
    expect(curveOf([null, null])).toEqual({ points: [], line: '', area: '' });
    expect(curveOf([])).toEqual({ points: [], line: '', area: '' });
  });
});
