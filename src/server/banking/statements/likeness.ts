import type { StatementAccount } from '../../providers/banks/connect.ts';

export type DayBalance = Pick<StatementAccount['balances'][number], 'day' | 'minor'>;

/**
 * Whether a file tells the days that are stored of an account; both in the order of days. `unknown` where they
 * have no time in common. `isCounted`: its balances are counted from one that was typed, and may all be wrong by
 * the same amount.
 */
export function likenessOf(
  file: readonly DayBalance[],
  stored: readonly DayBalance[],
  isCounted: boolean,
): 'same' | 'other' | 'unknown' {
  const [told, known] = [byDay(file), byDay(stored)];
  const both = [...new Set([...told.keys(), ...known.keys()])].filter(
    (day) => isWithin(day, file) && isWithin(day, stored),
  );
  const shifts = both.map((day) => (told.get(day) ?? Number.NaN) - (known.get(day) ?? Number.NaN));
  const agreeing = shifts.filter((shift) => shift === 0).length;
  // The last day of either may have gone on after its file was made.
  const lastDays = [file.at(-1)?.day, stored.at(-1)?.day];
  const settled = shifts.filter((shift, at) => shift !== 0 && !lastDays.includes(both[at]));
  if (agreeing > settled.length) return 'same';
  const isShifted = isCounted && new Set(shifts).size === 1 && !Number.isNaN(shifts[0]);
  return settled.length === 0 || isShifted ? 'unknown' : 'other';
}

function byDay(balances: readonly DayBalance[]): ReadonlyMap<string, number> {
  return new Map(balances.map(({ day, minor }) => [day, minor]));
}

function isWithin(day: string, balances: readonly DayBalance[]): boolean {
  const [first, last] = [balances[0]?.day, balances.at(-1)?.day];
  return first !== undefined && last !== undefined && first <= day && day <= last;
}
