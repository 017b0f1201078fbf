import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { OpenDatabase } from './open.ts';

/**
 * By how much the clocks of this machine and of the database's differ, to half of the time that the
 * database takes to answer. The embedded database has the clock of this machine.
 */
export async function clockSkewMs(
  { sql: database }: Pick<OpenDatabase, 'sql'>,
  machineClock: Clock,
): Promise<number> {
  const before = machineClock.now().getTime();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const middle = (before + machineClock.now().getTime()) / 2;
  return Math.abs((rows[0]?.now.getTime() ?? middle) - middle);
}
