import { type RawBuilder, sql } from 'kysely';
import type { ReadingPolicy } from '../../providers/banks/port.ts';

/**
 * The readings of the row `refreshes` without the person that still count. One that is dated after `now` comes
 * from a clock that was set back.
 */
export function countedReadings(
  refreshes: 'r' | 'k',
  now: Date,
  { spanMs }: NonNullable<ReadingPolicy['unattended']>,
): RawBuilder<unknown> {
  const since = new Date(now.getTime() - spanMs);
  return sql`select m from unnest(${sql.ref(`${refreshes}.unattended_at`)}) m
    where m > ${since} and m <= ${now}`;
}

/** Whether more than `spared` of these readings are left to the link of `k`. */
export function isAnyLeft(
  now: Date,
  unattended: ReadingPolicy['unattended'],
  spared: number,
): RawBuilder<boolean> {
  if (!unattended) return sql`true`;
  const count = sql`(select count(*) from (${countedReadings('k', now, unattended)}) counted)`;
  return sql`${count} < ${unattended.most - spared}::int`;
}
