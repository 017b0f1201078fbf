import { sql } from 'kysely';
import { dayMs } from '../../shared/calendar/durations.ts';
import { deleteInBatches } from '../platform/database/records.ts';
import type { Platform } from '../platform/platform.ts';
import { currentTime, deletionBefore, type UpkeepStep } from '../platform/upkeep.ts';
import { keptDays, parisDayOf } from './history/days.ts';

/** An account that its source no longer lists may come back: until then its history is kept. */
const hiddenDays = 30;

export const bankingUpkeep: UpkeepStep[] = [
  {
    name: 'balances',
    async run(deps) {
      const lastDay = parisDayOf(daysBefore(deps, keptDays));
      await deleteInBatches(
        deps.database,
        (limit) => sql`
          delete from bank_balances where (user_id, account_id, day) in (
            select user_id, account_id, day from bank_balances
            where day <= ${lastDay}::date limit ${limit})`,
      );
    },
  },
  {
    name: 'bank accounts',
    run: (deps) =>
      sql`delete from bank_accounts where gone_confirmed
        and gone_at < ${daysBefore(deps, hiddenDays)}`.execute(deps.database.sql),
  },
  deletionBefore('bank connect sessions', 'bank_connect_sessions', 'expires_at', currentTime),
  {
    name: 'bank limits',
    run: ({ database }) => sql`delete from bank_calls where free_at < now()`.execute(database.sql),
  },
];

function daysBefore({ clock }: Pick<Platform, 'clock'>, days: number): Date {
  return new Date(clock.now().getTime() - days * dayMs);
}
