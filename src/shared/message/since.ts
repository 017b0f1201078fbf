import { isOldFigure } from '../banks/states.ts';
import { dayMs } from '../calendar/durations.ts';
import { dayNumber } from '../calendar/wall-clock.ts';
import { figureBefore } from './changes.ts';
import { sinceDay } from './days.ts';
import type { MessageAccount, MessageData } from './figures.ts';

/**
 * "depuis hier": since when the balance of an account has changed by what `changeOf` says. A figure that was old
 * already when the last message told it is of its own day: nobody knows what it was on the day of that message.
 */
export function sinceOf(
  account: MessageAccount,
  data: Pick<MessageData, 'previous' | 'now' | 'localZone'>,
  duplicates: MessageAccount[] = [],
): string {
  const { previous, now, localZone } = data;
  const givenAt = figureBefore(account, previous, duplicates)?.[3] ?? null;
  if (previous?.toldAt === undefined || givenAt === null) return sinceLast(data);
  const given = new Date(givenAt);
  if (!isOldFigure(given, new Date(previous.toldAt))) return sinceLast(data);
  const day = new Date(dayNumber(given, localZone) * dayMs).toISOString().slice(0, 10);
  return sinceDay(day, now, localZone);
}

/** Since the last message; before the first one, since yesterday. */
export function sinceLast({
  previous,
  now,
  localZone,
}: Pick<MessageData, 'previous' | 'now' | 'localZone'>): string {
  return !previous || previous.isBeforeFirst
    ? 'depuis hier'
    : sinceDay(previous.day, now, localZone);
}
