import process from 'node:process';
import { addressOfRun } from '../support/postgres.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { packedPreparedDatabase } from '../support/prepared-database.ts';

/**
 * For all demonstrations of a run: an embedded database to copy, made here before several need it at
 * once, and one PostgreSQL server.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await packedPreparedDatabase();
  const { address, close } = await startCluster();
  process.env[addressOfRun] = address;
  return close;
}
