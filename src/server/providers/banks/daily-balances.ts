import type { StatementAccount } from './connect.ts';

type Balances = StatementAccount['balances'];

/**
 * One figure for each day, oldest day first: that of its end, else the latest in the course of it, and of two
 * such the last one. `rows` are in the order of time.
 */
export function byDay(rows: Balances): Balances {
  const days = new Map<string, Balances[number]>();
  for (const row of rows) {
    const known = days.get(row.day);
    if (!known || momentOf(row) >= momentOf(known)) days.set(row.day, row);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

function momentOf({ at }: Balances[number]): number {
  return at?.getTime() ?? Number.POSITIVE_INFINITY;
}
