import { expect, test } from 'vitest';
import { isStale, staleWarning } from '../../../src/shared/banks/states.ts';

test('data is stale after two days, by the oldest account', () => {
  const now = new Date('2026-03-04T08:00:00Z');
  const exactly = '2026-03-02T08:00:00.000Z';
  const over = '2026-03-02T07:59:59.000Z';
  expect(isStale('ok', [now.toISOString(), exactly], now)).toBe(false);
  expect(isStale('ok', [now.toISOString(), over], now)).toBe(true);
  expect(isStale('ok', [], now)).toBe(false);
  expect(staleWarning).toContain('bouton Editer');
});

test('an account that was never updated is stale, unless its first update is under way', () => {
  const now = new Date('2026-03-04T08:00:00Z');
  expect(isStale('unreachable', [now.toISOString(), null], now)).toBe(true);
  expect(isStale('refreshing', [null], now)).toBe(false);
});

test('an old figure stays old while its bank is being read, however long that takes', () => {
  const now = new Date('2026-03-04T08:00:00Z');
  expect(isStale('refreshing', ['2026-02-23T08:00:00.000Z', null], now)).toBe(true);
});
