import { dayMs } from './durations.ts';

export interface RandomWalk {
  id: string;
  /** Cents on its first day, and the most that they move in a day. */
  baseCents: number;
  swingCents: number;
}

/** A walk by days that depends on the account and the day alone: each start tells the same story. */
export function centsAt({ id, baseCents, swingCents }: RandomWalk, from: Date, now: Date): number {
  const last = daysBetween(from, now);
  let cents = baseCents;
  for (let day = 1; day <= last; day += 1) cents += stepOf({ id, swingCents }, day);
  return cents;
}

/** Days of UTC that have begun since the first one. */
export function daysBetween(from: Date, now: Date): number {
  return Math.min(4_000, Math.floor(now.getTime() / dayMs) - Math.floor(from.getTime() / dayMs));
}

/** What a day adds; never 0. */
export function stepOf(
  { id, swingCents }: Pick<RandomWalk, 'id' | 'swingCents'>,
  day: number,
): number {
  const seed = [...`${id}${day}`].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7);
  return Math.round((seed / 9973 - 0.5) * 2 * swingCents) || 1;
}
