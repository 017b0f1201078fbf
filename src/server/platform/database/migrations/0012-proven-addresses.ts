import { type Kysely, sql } from 'kysely';

/**
 * Until this version an address was confirmed by opening its link, which mail scanners do too: what was
 * set up before may have been set up by somebody else who typed the address first.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table users add column unproven_before timestamptz',
  'update users set unproven_before = email_confirmed_at where email_confirmed_at is not null',
];
