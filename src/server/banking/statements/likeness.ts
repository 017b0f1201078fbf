import type { StatementAccount } from '../../providers/banks/connect.ts';

export type DayBalance = Pick<StatementAccount['balances'][number], 'day' | 'minor'>;

/**
 * Whether a file tells the balances that are stored of an account, in the time that both are about; both in the
 * order of days. `unknown` where there is no such time, or where the difference stays the same from day to day, as
 * after a booking that came late. `isCounted`: its balances are counted from one that was typed, which adds days
 * of its own and may be wrong. `isExpected`: something else already points to that account. Where nothing does, one
 * round sum that both have proves nothing, and neither does a single day on which they differ.
 */
export function likenessOf(
  file: readonly DayBalance[],
  stored: readonly DayBalance[],
  { isCounted, isExpected }: { isCounted: boolean; isExpected: boolean },
): 'same' | 'other' | 'unknown' {
  const common = commonDays(file, stored).filter(({ isTold }) => !isCounted || isTold);
  // Many accounts are at zero.
  const agreeing = common.filter(({ minor, shift }) => shift === 0 && minor !== 0);
  // The last day of either may have gone on after its file was made.
  const lastDays = [file.at(-1)?.day, stored.at(-1)?.day];
  const shifts = common.filter(({ day }) => !lastDays.includes(day)).map(({ shift }) => shift);
  const differing = shifts.filter((shift) => shift !== 0);
  if (agreeing.length > differing.length) {
    const told = new Set(agreeing.map(({ minor }) => minor));
    const isProof = isExpected || told.size > 1 || [...told].some((minor) => minor % 100 !== 0);
    return isProof ? 'same' : 'unknown';
  }
  const jumps = shifts.slice(1).filter((shift, at) => shift !== shifts[at]).length;
  const isShifted = 2 * jumps < shifts.length - 1 || (isCounted && jumps === 0);
  if (differing.length === 0 || isShifted) return 'unknown';
  return isExpected || (shifts.length > 1 && !shareBalance(file, stored)) ? 'other' : 'unknown';
}

/** On whatever day: a bank may date its bookings in two ways. */
function shareBalance(file: readonly DayBalance[], stored: readonly DayBalance[]): boolean {
  const minors = new Set(stored.map(({ minor }) => minor));
  return file.some(({ minor }) => minor !== 0 && minors.has(minor));
}

interface CommonDay {
  day: string;
  /** The balance that the file tells. */
  minor: number;
  /** By how much it is above the stored one. */
  shift: number;
  /** Both have an entry of that day. */
  isTold: boolean;
}

/**
 * The days of either, in the time that both are about. A day without an entry has the balance of the one before
 * it. In one walk through both: a file of many accounts is compared with many.
 */
function commonDays(file: readonly DayBalance[], stored: readonly DayBalance[]): CommonDay[] {
  const [one, other] = [balanceBy(file), balanceBy(stored)];
  const days = [...new Set([...file, ...stored].map(({ day }) => day))].sort();
  return days.flatMap((day) => {
    const [told, known] = [one(day), other(day)];
    if (told === null || known === null) return [];
    const isTold = told.day === day && known.day === day;
    return [{ day, minor: told.minor, shift: told.minor - known.minor, isTold }];
  });
}

/** For days that are asked for in their order: the last entry by then; null before the first and after the last. */
function balanceBy(balances: readonly DayBalance[]): (day: string) => DayBalance | null {
  const end = balances.at(-1)?.day ?? '';
  let next = 0;
  return (day) => {
    for (let entry = balances[next]; entry && entry.day <= day; entry = balances[next]) next += 1;
    return day > end ? null : (balances[next - 1] ?? null);
  };
}
