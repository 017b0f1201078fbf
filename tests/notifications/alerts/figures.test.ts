import { expect, it } from 'vitest';
import { lastMomentOf } from '../../../src/server/banking/history/days.ts';
import {
  type AlertAccounts,
  accountGroupsOf,
} from '../../../src/server/notifications/alerts/alert-accounts.ts';
import {
  type AlertRule,
  evaluate,
  initialState,
} from '../../../src/server/notifications/alerts/crossings.ts';
import { alertBlocks } from '../../../src/server/notifications/alerts/text.ts';
import { balanceOf } from '../../../src/server/providers/banks/enablebanking/balances.ts';
import { wallClock } from '../../../src/shared/calendar/wall-clock.ts';

const now = new Date('2026-01-12T09:00:00Z');

function account(id: number, isReadAutomatically: boolean): AlertAccounts[number] {
  return {
    ...{ id, connectionId: id, name: 'Courant', type: 'checking', currency: 'EUR', covered: true },
    isReadAutomatically,
    ...{ balanceMinor: 100, updatedAt: null, ibanFingerprint: 'same', bank: { name: 'B' } },
  };
}

it('an account that two sources tell is told of by the one that is still read', () => {
  const dead = account(1, false);
  expect(accountGroupsOf(null, [dead, account(2, true), account(3, true)], 'EUR')).toEqual([
    [2, 3, 1],
  ]);
  expect(accountGroupsOf(null, [dead, account(2, false)], 'EUR')).toEqual([[1, 2]]);
});

it('a total with a figure that has no date is told with an unknown date', () => {
  const rule: AlertRule = { kind: 'below', accountId: null, amountMinor: 500, currency: 'EUR' };
  const stored = new Map([[2, { minor: 100, asOf: null }]]);
  const members = [[1], [2]];
  const first = new Map([[1, { minor: 900, asOf: now.getTime() - 1 }]]);
  const state = initialState(rule, { stored, given: first, members });
  const given = new Map([[1, { minor: 50, asOf: now.getTime() }]]);
  const evaluation = evaluate(rule, state, {
    at: now.getTime(),
    stored,
    members,
    given,
    canTell: true,
  });
  expect(evaluation.crossings).toMatchObject([{ balanceMinor: 150, asOf: null }]);
  const alone = evaluate(rule, state, {
    ...{ at: now.getTime(), stored: new Map(), members, canTell: true },
    given: new Map([[1, { minor: 50, asOf: null }]]),
  });
  expect(alone.crossings).toEqual([]);
});

it.each([true, false])('a crossing without a date says so (held: %s)', (isHeld) => {
  const crossing = {
    ...{ account: null, amountMinor: 500, balanceMinor: 150, changeMinor: null, currency: 'EUR' },
    ...{ accounts: 2, asOf: null, isHeld },
  };
  const unknown = { zone: 'Europe/Nulle-Part', offsetMinutes: null };
  const [block] = alertBlocks([crossing], { now, localZone: unknown });
  expect(block).toMatchObject({ text: expect.stringContaining('date inconnue') });
});

it('a zone that is not known has the clock of Paris', () => {
  const unknown = { zone: 'Europe/Nulle-Part', offsetMinutes: null };
  expect(wallClock(now, unknown)).toEqual(new Date('2026-01-12T10:00:00Z'));
});

it('a figure of a day is as of the end of that day in Paris', () => {
  const told = {
    ...{ balance_amount: { amount: '12.00', currency: 'EUR' }, balance_type: 'CLBD' },
    reference_date: '2026-01-11',
  };
  const balance = balanceOf({ balances: [told] }, 'EUR', now);
  expect(balance && lastMomentOf(balance)).toEqual(new Date('2026-01-11T22:59:59.999Z'));
  const moment = new Date('2026-01-11T08:00:00Z');
  expect(lastMomentOf({ asOf: moment })).toBe(moment);
});
