import { dayMs } from '../calendar/durations.ts';
import { parisDayOf } from '../calendar/wall-clock.ts';
import type { MessageAccount, MessageData, PreviousFigure } from './figures.ts';

/**
 * How much the balance has changed since that message, in minor units; null where they cannot be compared.
 * `new`: that message did not have it. `not renewed`: that message said the same figure already, and the
 * bank has given no later one.
 */
export type Change = number | 'new' | 'not renewed' | null;

/**
 * `duplicates`: the account through other sources, by one of which that message or yesterday may have it.
 * Before the first message an account without a balance of yesterday is not new, and a figure that is itself
 * of that day is not compared with it.
 */
export function changeOf(
  account: MessageAccount,
  previous: MessageData['previous'],
  duplicates: MessageAccount[] = [],
): Change {
  const { balanceMinor, currency, updatedAt } = account;
  if (!previous || balanceMinor === null) return null;
  if (previous.isBeforeFirst && updatedAt && parisDayOf(updatedAt) <= previous.day) return null;
  const [before, itsCurrency, , givenAt] = figureBefore(account, previous, duplicates) ?? [];
  if (before === undefined) return previous.isBeforeFirst ? null : 'new';
  if (before === null || itsCurrency !== currency) return null;
  return isRenewed(account, before, givenAt) ? balanceMinor - before : 'not renewed';
}

/** What it is compared with; undefined where there is none. */
export function figureBefore(
  account: MessageAccount,
  previous: MessageData['previous'],
  duplicates: MessageAccount[],
): PreviousFigure | undefined {
  const figures = [account, ...duplicates].map(({ id }) => previous?.balances[String(id)]);
  return figures.find((figure) => figure !== undefined);
}

/**
 * Whether the figure comes after one of `givenAt`. Another amount does too, of the same day: banks correct
 * figures, and date them by the day alone. One of an earlier day is that of another source.
 */
function isRenewed(
  { balanceMinor, updatedAt }: MessageAccount,
  before: number,
  givenAt: number | null | undefined,
): boolean {
  if (!updatedAt || givenAt == null || updatedAt.getTime() > givenAt) return true;
  return balanceMinor !== before && givenAt - updatedAt.getTime() < dayMs;
}
