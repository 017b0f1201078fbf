import process from 'node:process';
import { addressOfRun } from '../support/postgres.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { findPostgres } from './programs.ts';

/** One PostgreSQL server for all test files of a run. Without the program, those that need it fail. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!findPostgres()) return undefined;
  const cluster = await startCluster();
  process.env[addressOfRun] = cluster.address;
  return cluster.close;
}
