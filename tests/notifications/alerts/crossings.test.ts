import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AlertRule,
  type AlertState,
  evaluate,
  type Figure,
  initialState,
  rearmedAt,
} from '../../../src/server/notifications/alerts/crossings.ts';

const hour = 3_600_000;
const below: AlertRule = { kind: 'below', accountId: 1, amountMinor: 50_000, currency: 'EUR' };
const movement: AlertRule = { ...below, kind: 'movement' };

interface Step {
  minor: number;
  /** Since the step before. */
  hours: number;
  /** Of the figure when it is read. */
  ageHours: number;
  canTell: boolean;
}

/** Around an amount and its margin, where an error of one cent would show. */
const minor = fc.oneof(
  fc.integer({ min: -20_000, max: 120_000 }),
  fc.constantFrom(49_999, 50_000, 50_001, 52_499, 52_500, 52_501, 0, -1),
);

const step = fc.record<Step>({
  minor,
  hours: fc.integer({ min: 1, max: 30 }),
  ageHours: fc.constantFrom(0, 0, 0, 0, 0.5),
  canTell: fc.constant(true),
});

const awkwardStep = fc.record<Step>({
  minor,
  hours: fc.integer({ min: 1, max: 30 }),
  ageHours: fc.constantFrom(0, 0, 0.9, 24, 25, 30),
  canTell: fc.constantFrom(true, true, false),
});

/** The indexes of the steps that were told, for an alert made with a first figure. */
function toldIn(rule: AlertRule, first: number, steps: Step[]): number[] {
  let at = 1_000 * hour;
  let state = initialState(rule, of(new Map([[1, { minor: first, asOf: at - 40 * hour }]])));
  return steps.flatMap((one, index) => {
    at += one.hours * hour;
    const evaluation = evaluate(rule, state, { ...readAt(one, at), at });
    state = evaluation.state;
    return evaluation.crossings.map(() => index);
  });
}

function of(stored: Map<number, Figure>) {
  return { stored, given: new Map<number, Figure>(), members: [[1]] };
}

function readAt({ minor: read, ageHours, canTell }: Step, at: number) {
  const given = new Map([[1, { minor: read, asOf: at - ageHours * hour }]]);
  return { given, stored: new Map(), members: [[1]], canTell };
}

const isTellable = ({ ageHours, canTell }: Step) => canTell && ageHours <= 24;

/** The same by search: from each moment it is armed, the first figure under that may be told. */
function oracle({ amountMinor }: AlertRule, first: number, steps: Step[]): number[] {
  const rearm = amountMinor + Math.max(Math.abs(amountMinor) * 0.05, 1_000);
  const told: number[] = [];
  let armedFrom = first >= amountMinor ? 0 : steps.findIndex((one) => one.minor >= rearm);
  while (armedFrom !== -1) {
    const from = armedFrom;
    const next = steps.findIndex(
      (one, at) => at >= from && one.minor < amountMinor && isTellable(one),
    );
    if (next === -1) break;
    told.push(next);
    armedFrom = steps.findIndex((one, at) => at > next && one.minor >= rearm);
  }
  return told;
}

describe('a balance under an amount', () => {
  it('is told once for each crossing, whatever the series of readings', () => {
    fc.assert(
      fc.property(minor, fc.array(step, { maxLength: 40 }), (first, steps) => {
        expect(toldIn(below, first, steps)).toEqual(oracle(below, first, steps));
      }),
      { numRuns: 3000 },
    );
  });

  it('is told once also where figures are old or the notification is paused in between', () => {
    fc.assert(
      fc.property(minor, fc.array(awkwardStep, { maxLength: 40 }), (first, steps) => {
        // So far apart that no figure is dated before the one before it.
        const apart = steps.map((one) => ({ ...one, hours: 31 }));
        expect(toldIn(below, first, apart)).toEqual(oracle(below, first, apart));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    [50_000, 52_500],
    [0, 1_000],
    [-50_000, -47_500],
    [5_000, 6_000],
    [2_000_000, 2_100_000],
  ])('%i is armed again at %i: 5 %, and 10 units at least', (amountMinor, rearmed) => {
    expect(rearmedAt({ amountMinor, currency: 'EUR' })).toBe(rearmed);
  });

  it('counts units of its own currency', () => {
    expect(rearmedAt({ amountMinor: 100, currency: 'JPY' })).toBe(110);
    expect(rearmedAt({ amountMinor: 100, currency: 'BHD' })).toBe(10_100);
  });

  it('is no crossing at a first reading, nor where it was so when the alert was made', () => {
    const nothing: AlertState = { armed: null, lastMinor: null, figures: new Map() };
    const at = 1_000 * hour;
    const first = evaluate(below, nothing, {
      ...readAt({ minor: 100, hours: 0, ageHours: 0, canTell: true }, at),
      at,
    });
    expect(first).toMatchObject({ crossings: [], state: { armed: false, lastMinor: 100 } });
    expect(toldIn(below, 100, [{ minor: 90, hours: 1, ageHours: 0, canTell: true }])).toEqual([]);
  });

  it('reads a figure that is dated before the last one as no news', () => {
    const at = 1_000 * hour;
    const state = initialState(below, of(new Map([[1, { minor: 60_000, asOf: at }]])));
    const given = new Map([[1, { minor: 10, asOf: at - hour }]]);
    const evaluation = evaluate(below, state, { ...of(new Map()), given, at, canTell: true });
    expect(evaluation.crossings).toEqual([]);
    expect(evaluation.state.figures.get(1)?.minor).toBe(60_000);
  });
});

it('a figure that was read while the clock ran ahead keeps no later one back', () => {
  const at = 1_000 * hour;
  const ahead = at + 900 * hour;
  const state = initialState(below, of(new Map([[1, { minor: 60_000, asOf: ahead }]])));
  const given = new Map([[1, { minor: 10, asOf: at }]]);
  const evaluation = evaluate(below, state, { ...of(new Map()), given, at, canTell: true });
  expect(evaluation.crossings).toHaveLength(1);
});

describe('a movement', () => {
  it('is told for every two successive figures that are further apart, and for no others', () => {
    fc.assert(
      fc.property(minor, fc.array(awkwardStep, { maxLength: 40 }), (first, steps) => {
        const apart = steps.map((one) => ({ ...one, hours: 31 }));
        const expected = apart.flatMap((one, at) => {
          const before = apart[at - 1]?.minor ?? first;
          return isTellable(one) && Math.abs(one.minor - before) > 50_000 ? [at] : [];
        });
        expect(toldIn(movement, first, apart)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('says which account has moved by how much', () => {
    const at = 1_000 * hour;
    const rule = { ...movement, accountId: null };
    const stored = new Map([
      [1, { minor: 100_000, asOf: at - hour }],
      [2, { minor: 5_000, asOf: at - hour }],
    ]);
    const members = [[1], [2]];
    const state = initialState(rule, { stored, given: new Map(), members });
    const given = new Map([
      [1, { minor: 30_000, asOf: at }],
      [2, { minor: 75_000, asOf: at }],
      [3, { minor: 900_000, asOf: at }],
    ]);
    const evaluation = evaluate(rule, state, { given, stored, members, at, canTell: true });
    expect(evaluation.crossings).toMatchObject([
      { accountId: 1, changeMinor: -70_000, balanceMinor: 30_000 },
      { accountId: 2, changeMinor: 70_000, balanceMinor: 75_000 },
    ]);
  });
});
