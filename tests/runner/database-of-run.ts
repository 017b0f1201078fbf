import process from 'node:process';
import { addressOfRun } from '../support/postgres.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { packedPreparedDatabase } from '../support/prepared-database.ts';
import { findPostgres } from './programs.ts';

/**
 * For all test files of a run: an embedded database to copy, made here before several need it at once,
 * and one PostgreSQL server. Without that program, the files that need it fail.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await packedPreparedDatabase();
  if (!findPostgres()) return undefined;
  const { address, close } = await startCluster();
  process.env[addressOfRun] = address;
  return close;
}
