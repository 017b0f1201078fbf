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
  const common = commonDays(file, stored).filter(
    (day) => !isCounted || (isTold(day, file) && isTold(day, stored)),
  );
  const shiftOn = (day: string) => balanceOn(day, file) - balanceOn(day, stored);
  // Many accounts are at zero.
  const agreeing = common.filter((day) => shiftOn(day) === 0 && balanceOn(day, file) !== 0);
  // The last day of either may have gone on after its file was made.
  const lastDays = [file.at(-1)?.day, stored.at(-1)?.day];
  const shifts = common.filter((day) => !lastDays.includes(day)).map(shiftOn);
  const differing = shifts.filter((shift) => shift !== 0);
  if (agreeing.length > differing.length) {
    const told = new Set(agreeing.map((day) => balanceOn(day, file)));
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

/** Of either, in the time that both are about. */
function commonDays(file: readonly DayBalance[], stored: readonly DayBalance[]): string[] {
  return [...new Set([...file, ...stored].map(({ day }) => day))]
    .filter((day) => isWithin(day, file) && isWithin(day, stored))
    .sort();
}

function isTold(day: string, balances: readonly DayBalance[]): boolean {
  return balances.some((one) => one.day === day);
}

function isWithin(day: string, balances: readonly DayBalance[]): boolean {
  const [first, last] = [balances[0]?.day, balances.at(-1)?.day];
  return first !== undefined && last !== undefined && first <= day && day <= last;
}

/** A day without an entry has the balance of the one before it. */
function balanceOn(day: string, balances: readonly DayBalance[]): number {
  return balances.findLast((one) => one.day <= day)?.minor ?? Number.NaN;
}
