import { sql } from 'kysely';
import { dayMs } from '../../shared/calendar/durations.ts';
import type { Schema } from './database/schema.ts';
import type { Platform } from './platform.ts';

/**
 * A step of the hourly upkeep. Each module declares those for its own tables; operations runs all of
 * them. The database of `Deps` has the long time limits of `maintenanceTimeouts`.
 */
export interface UpkeepStep<Deps = Pick<Platform, 'database' | 'clock'>> {
  /** The name in the log. */
  name: string;
  run(deps: Deps): Promise<unknown>;
}

/** A step that deletes the rows of a table in which the date in `column` is before a moment. */
export function deletionBefore<Table extends keyof Schema & string>(
  name: string,
  table: Table,
  column: keyof Schema[Table] & string,
  momentOf: (deps: Pick<Platform, 'clock'>) => Date,
): UpkeepStep {
  return {
    name,
    run: (deps) =>
      sql`delete from ${sql.table(table)} where ${sql.ref(column)} < ${momentOf(deps)}`.execute(
        deps.database.sql,
      ),
  };
}

export function currentTime({ clock }: Pick<Platform, 'clock'>): Date {
  return clock.now();
}

/** How long messages, mails and receipts are kept. For balances, see banking/history. */
export const historyDays = 400;

/** Messages, mails and receipts from before this moment are removed. */
export function historyStart({ clock }: Pick<Platform, 'clock'>): Date {
  return new Date(clock.now().getTime() - historyDays * dayMs);
}
