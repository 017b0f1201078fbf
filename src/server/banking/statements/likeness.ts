import type { StatementAccount } from '../../providers/banks/connect.ts';

export type DayBalance = Pick<StatementAccount['balances'][number], 'day' | 'minor'>;

/**
 * Whether a file tells the balances that are stored of an account, in the time that both are about; both in the
 * order of days. `unknown` where there is no such time. `isCounted`: its balances are counted from one that was
 * typed, and may all be wrong by the same amount.
 */
export function likenessOf(
  file: readonly DayBalance[],
  stored: readonly DayBalance[],
  isCounted: boolean,
): 'same' | 'other' | 'unknown' {
  const common = [...new Set([...file, ...stored].map(({ day }) => day))].filter(
    (day) => isWithin(day, file) && isWithin(day, stored),
  );
  const shifts = common.map((day) => balanceOn(day, file) - balanceOn(day, stored));
  const agreeing = shifts.filter((shift) => shift === 0).length;
  // The last day of either may have gone on after its file was made.
  const lastDays = [file.at(-1)?.day, stored.at(-1)?.day];
  const settled = shifts.filter((shift, at) => shift !== 0 && !lastDays.includes(common[at]));
  if (agreeing > settled.length) return 'same';
  const isShifted = isCounted && new Set(shifts).size === 1;
  return settled.length === 0 || isShifted ? 'unknown' : 'other';
}

function isWithin(day: string, balances: readonly DayBalance[]): boolean {
  const [first, last] = [balances[0]?.day, balances.at(-1)?.day];
  return first !== undefined && last !== undefined && first <= day && day <= last;
}

/** A day without an entry has the balance of the one before it. */
function balanceOn(day: string, balances: readonly DayBalance[]): number {
  return balances.findLast((one) => one.day <= day)?.minor ?? Number.NaN;
}
