import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AlertRule,
  evaluate,
  type Figure,
  initialState,
} from '../../../src/server/notifications/alerts/crossings.ts';

const hour = 3_600_000;
const total: AlertRule = { kind: 'below', accountId: null, amountMinor: 50_000, currency: 'EUR' };

describe('a total', () => {
  const at = 1_000 * hour;
  const figure = (amount: number, asOf = at): Figure => ({ minor: amount, asOf });

  it('is not moved by money that goes from one account to another', () => {
    const stored = new Map([
      [1, figure(60_000, at - hour)],
      [2, figure(0, at - hour)],
    ]);
    const members = [[1], [2]];
    const state = initialState(total, { stored, given: new Map(), members });
    const given = new Map([
      [1, figure(1_000)],
      [2, figure(59_000)],
    ]);
    expect(evaluate(total, state, { given, stored, members, at, canTell: true }).crossings).toEqual(
      [],
    );
  });

  const change = fc.record({
    members: fc.subarray([1, 2, 3], { minLength: 1 }),
    moves: fc.dictionary(
      fc.constantFrom('1', '2', '3'),
      fc.integer({ min: -60_000, max: 60_000 }),
      {
        maxKeys: 2,
      },
    ),
  });

  it('tells no crossing for accounts that were added or left, and none of its own twice', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (changes) => {
        const balances = new Map([1, 2, 3].map((id) => [id, 40_000]));
        let members = [[1], [2], [3]];
        let moment = at;
        const all = () =>
          new Map([...balances].map(([id, amount]) => [id, figure(amount, moment)]));
        const sum = (ids: number[][]) =>
          ids.flat().reduce((so, id) => so + (balances.get(id) ?? 0), 0);
        let state = initialState(total, { stored: all(), given: new Map(), members });
        let armed = sum(members) >= 50_000;
        for (const one of changes) {
          moment += hour;
          const before = sum(members);
          members = one.members.map((id) => [id]);
          const moved = sum(members);
          // What joins or leaves arms or disarms in silence.
          if (before >= 50_000 && moved < 50_000) armed = false;
          if (moved >= 52_500) armed = true;
          for (const [id, by] of Object.entries(one.moves)) {
            balances.set(Number(id), (balances.get(Number(id)) ?? 0) + by);
          }
          const now = sum(members);
          const isTold = armed && now < 50_000;
          armed = isTold ? false : armed || now >= 52_500;
          const evaluation = evaluate(total, state, {
            ...{ given: all(), stored: new Map(), members, at: moment, canTell: true },
          });
          expect(evaluation.crossings.map(({ balanceMinor }) => balanceMinor)).toEqual(
            isTold ? [now] : [],
          );
          state = evaluation.state;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('counts an account that two sources tell once, and tells it once', () => {
    const members = [[1, 2]];
    const stored = new Map([1, 2].map((id) => [id, figure(80_000, at - hour)]));
    let state = initialState(total, { stored, given: new Map(), members });
    expect(state.lastMinor).toBe(80_000);
    const told = [2, 1, 2, 1].flatMap((id, index) => {
      const moment = at + index * hour;
      const given = new Map([[id, figure(40_000, moment)]]);
      const evaluation = evaluate(total, state, {
        given,
        stored,
        members,
        at: moment,
        canTell: true,
      });
      state = evaluation.state;
      return evaluation.crossings;
    });
    expect(told).toMatchObject([{ balanceMinor: 40_000, accounts: 1 }]);
  });

  it('takes other accounts as they are stored, and says how old the oldest of them is', () => {
    const old = at - 90 * 24 * hour;
    const stored = new Map([
      [1, figure(40_000, at - hour)],
      [2, figure(30_000, old)],
    ]);
    const members = [[1], [2]];
    const state = initialState(total, { stored, given: new Map(), members });
    const given = new Map([[1, figure(10_000)]]);
    const evaluation = evaluate(total, state, { given, stored, members, at, canTell: true });
    expect(evaluation.crossings).toEqual([
      { accountId: null, balanceMinor: 40_000, changeMinor: null, asOf: old, accounts: 2 },
    ]);
  });

  it('waits for a figure of its own that may be told', () => {
    const stored = new Map([
      [1, figure(40_000, at - hour)],
      [2, figure(30_000, at - hour)],
    ]);
    const members = [[1], [2]];
    const state = initialState(total, { stored, given: new Map(), members });
    const fallen = new Map([[2, figure(100, at)]]);
    const elsewhere = evaluate(total, state, {
      ...{ given: new Map([[9, figure(1)]]), stored: fallen, members, at, canTell: true },
    });
    expect(elsewhere.crossings).toEqual([]);
    const later = evaluate(total, elsewhere.state, {
      ...{ given: new Map([[1, figure(40_000)]]), stored: fallen, members, at, canTell: true },
    });
    expect(later.crossings).toMatchObject([{ balanceMinor: 40_100 }]);
  });
});
