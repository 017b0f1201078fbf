import { packedPreparedDatabase } from '../support/prepared-database.ts';

/** One database to copy for all demonstrations of a run: made here, before several need it at once. */
export default async function setup(): Promise<void> {
  await packedPreparedDatabase();
}
