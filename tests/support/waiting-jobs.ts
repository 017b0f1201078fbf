import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/server/platform/database/schema.ts';
import type { JobKind } from '../../src/server/platform/queue/job-kind.ts';

/** What the waiting jobs of a kind are about. They leave their queue. */
export async function takeJobs<Data extends object>(
  database: Kysely<Schema>,
  { name }: JobKind<Data>,
): Promise<Data[]> {
  const { rows } = await sql<{ data: Data }>`delete from pgboss.job
    where name = ${name} and state in ('created', 'retry') and start_after <= now()
    returning data`.execute(database);
  return rows.map(({ data }) => data);
}
