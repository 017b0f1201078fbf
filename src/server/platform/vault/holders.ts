import { hkdfSync } from 'node:crypto';
import { sql } from 'kysely';
import type { OpenDatabase } from '../database/open.ts';

/**
 * What a process calls its connections to PostgreSQL, so that others see which key it seals with. So
 * short that it tells two keys apart and confirms no guess at one.
 */
export function connectionName(secrets: string[]): string {
  const [newest] = secrets;
  if (!newest) return program;
  const mark = Buffer.from(hkdfSync('sha256', newest, '', 'tirelire connection name', 4));
  return `${program} ${mark.toString('hex')}`;
}

const program = 'tirelire';

/** Where the processes run that still seal with another key than the newest of these; null is here. */
export async function findOtherHolders(
  { sql: database, engine }: OpenDatabase,
  secrets: string[],
): Promise<{ address: string | null; since: Date }[]> {
  if (engine === 'embedded') return [];
  const { rows } = await sql<{ address: string | null; since: Date }>`
    select host(client_addr) as address, min(backend_start) as since from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${program}
      and application_name <> ${connectionName(secrets)}
    group by client_addr order by since`.execute(database);
  return rows;
}
