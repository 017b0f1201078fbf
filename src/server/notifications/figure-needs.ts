import { sql } from 'kysely';
import { localDateAt } from '../../shared/calendar/wall-clock.ts';
import type { FigureNeeds } from '../banking/deps.ts';
import { records } from '../platform/database/records.ts';
import type { Platform } from '../platform/platform.ts';
import { minutesIntoActiveHours } from './schedule/active-hours.ts';
import { uselessAfterMs } from './schedule/next-sending.ts';
import {
  activeMessenger,
  afterCursor,
  canPost,
  isOwnSending,
  isUnpausedOn,
} from './schedule/slots.ts';

/** Which figures the messages and the alerts of notifications need, for banking to read in time. */
export function createFigureNeeds(deps: Pick<Platform, 'database'>): FigureNeeds {
  return {
    ofMessages: (now, until) => sql`select m.user_id, s.next_at as due_at
      from slots s
      join messengers m on m.slot_id = s.id and (m.message like '%{{%' and m.variables or m.chart)
      where s.next_at > ${new Date(now.getTime() - uselessAfterMs)} and s.next_at <= ${until}
        and ${activeMessenger} and ${afterCursor} and ${isOwnSending(now)}`,
    async ofAlerts(now) {
      const clocks = await findWatchedClocks(deps, now);
      if (clocks.length === 0) return null;
      return sql`select w.user_id, w.account_id, p.minutes
        from alerts w
        join messengers m on m.user_id = w.user_id and m.id = w.messenger_id
        join (select * from ${records(clocks, 'zone text, offset_minutes smallint, day date, minutes int')}) p
          on p.zone is not distinct from m.zone
          and p.offset_minutes is not distinct from m.offset_minutes
        where ${canPost} and ${isUnpausedOn(sql`p.day`)}`;
    },
  };
}

/** A wall clock on which it is now between the hours in which accounts with alerts are read. */
interface WatchedClock {
  zone: string | null;
  offset_minutes: number | null;
  /** YYYY-MM-DD there. */
  day: string;
  /** Minutes since the active hours began. */
  minutes: number;
}

/** Of the wall clocks of notifications with alerts, those on which accounts are read now. */
async function findWatchedClocks(
  { database }: Pick<Platform, 'database'>,
  now: Date,
): Promise<WatchedClock[]> {
  const clocks = await database.sql
    .selectFrom('alerts')
    .innerJoin('messengers', (on) =>
      on
        .onRef('messengers.user_id', '=', 'alerts.user_id')
        .onRef('messengers.id', '=', 'alerts.messenger_id'),
    )
    .select(['zone', 'offset_minutes'])
    .distinct()
    .execute();
  return clocks.flatMap(({ zone, offset_minutes }) => {
    const localZone = { zone, offsetMinutes: offset_minutes };
    const minutes = minutesIntoActiveHours(localZone, now);
    if (minutes === null) return [];
    return [{ zone, offset_minutes, day: localDateAt(now, localZone), minutes }];
  });
}
