import type { Account } from './state.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * The account's cents on the day of `at`: a walk whose steps depend on the account and the day
 * alone, so that every start of the stand-in tells the same story and each day differs.
 */
export function centsAt(account: Account, createdAt: Date, at: Date): number {
  const first = dayOf(createdAt);
  const last = Math.min(dayOf(at), first + 4_000);
  let cents = account.baseCents;
  for (let day = first + 1; day <= last; day += 1) cents += stepOf(account, day);
  return cents;
}

/** Never 0, and around 0 over the months: an account neither freezes nor runs away. */
function stepOf(account: Account, day: number): number {
  const portion = (hash(account.id, day) / 0xffffffff) * 2 - 1;
  const step = Math.round(portion * account.swingCents);
  return step === 0 ? 1 : step;
}

function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs);
}

/** Two numbers to 32 well-mixed bits (the finaliser of MurmurHash3). */
function hash(a: number, b: number): number {
  let bits = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
