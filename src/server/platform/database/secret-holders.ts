import { hkdfSync } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { momentWords } from '../moment-words.ts';
import type { Schema } from './schema.ts';

/** What the program calls its connections to PostgreSQL. */
export const applicationName = 'tirelire';

/**
 * Marks a new connection with the secret that its process seals with: a shared advisory lock, which
 * PostgreSQL releases when the connection ends, however it ends. Without secrets nothing is marked.
 */
export async function lockSecret(client: pg.ClientBase, secrets: string[]): Promise<void> {
  const [newest] = secrets;
  if (newest === undefined) return;
  await client.query('select pg_advisory_lock_shared($1, $2)', [lockClass, secretNumber(newest)]);
}

export interface SecretHolder {
  /** Null is the database's own machine. */
  address: string | null;
  since: Date;
}

/** A line for each, in a message of a command. */
export function holderLines(holders: readonly SecretHolder[]): string[] {
  return holders.map(
    ({ address, since }) =>
      `  - ${address ?? 'cette machine'}, connecté depuis le ${momentWords(since)}`,
  );
}

/**
 * The machines whose processes seal with another secret than the newest of `secrets`: those with a
 * connection of the program that does not hold its lock. Empty on the embedded database, which has
 * one process. The names of earlier versions, `tirelire` and some digits, count as well.
 */
export async function findOtherHolders(
  database: Kysely<Schema>,
  secrets: string[],
): Promise<SecretHolder[]> {
  const [newest = ''] = secrets;
  const lacksLock = sql`not exists (
    select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'
      and l.classid::int8 = ${lockClass} and l.objid::int8 = ${secretNumber(newest) >>> 0}::int8)`;
  return await machinesWith(database, lacksLock);
}

/**
 * The machines of which another connection of the program is open, whatever it seals with. `connection` is
 * the only one of this process: others would be taken for those of another one.
 */
export async function findOtherProcesses(connection: Kysely<Schema>): Promise<SecretHolder[]> {
  return await machinesWith(connection, sql`pid <> pg_backend_pid()`);
}

/** The machines with a connection of the program, `a`, for which `condition` holds. */
async function machinesWith(
  database: Kysely<Schema>,
  condition: RawBuilder<unknown>,
): Promise<SecretHolder[]> {
  const { rows } = await sql<SecretHolder>`
    select host(client_addr) as address, min(backend_start) as since from pg_stat_activity a
    where datname = current_database() and split_part(application_name, ' ', 1) = ${applicationName}
      and ${condition}
    group by client_addr order by since`.execute(database);
  return rows;
}

/** The first of the two numbers of the lock: any that no other advisory lock has. */
const lockClass = 721_340_119;

/** 32 bits derived from the secret: enough to tell two secrets apart, too few to confirm a guess. */
export function secretNumber(secret: string): number {
  return Buffer.from(hkdfSync('sha256', secret, '', 'tirelire secret lock', 4)).readInt32BE();
}
