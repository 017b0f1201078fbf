import { type RawBuilder, sql } from 'kysely';
import type { ReadingPolicy } from '../../providers/banks/port.ts';

type Limit = NonNullable<ReadingPolicy['unattended']>;

/** A source may count a reading some seconds after it has begun. */
const marginMs = 60_000;

/** Of a row of `bank_refreshes`, those that still count, and one that began at `startedAt`. */
export function withReading(startedAt: Date, limit: Limit): RawBuilder<Date[]> {
  return sql<Date[]>`array(${countedReadings(startedAt, limit)}) || ${startedAt}::timestamptz`;
}

/** Whether more than `spared` of these readings are left to a row of `bank_refreshes`, or to a link without one. */
export function isAnyLeft(
  now: Date,
  limit: ReadingPolicy['unattended'],
  spared: number,
): RawBuilder<boolean> {
  if (!limit) return sql`true`;
  const count = sql`(select count(*) from (${countedReadings(now, limit)}) counted)`;
  return sql`${count} < ${limit.most - spared}::int`;
}

/** One that is dated after `now` comes from a clock that was set back. */
function countedReadings(now: Date, { spanMs }: Limit): RawBuilder<unknown> {
  const since = new Date(now.getTime() - spanMs - marginMs);
  return sql`select m from unnest(unattended_at) m where m > ${since} and m <= ${now}`;
}
