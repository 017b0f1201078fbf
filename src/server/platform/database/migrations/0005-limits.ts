import { type Kysely, sql } from 'kysely';

/** Failed attempts, counted for all processes together. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  `create table attempts (
    counter text primary key,
    account text,
    failures integer not null default 0,
    counted_at timestamptz not null,
    blocked_until timestamptz,
    known_until timestamptz,
    expires_at timestamptz not null
  )`,
  'create index attempts_account on attempts (account) where account is not null',
  'create index attempts_expired on attempts (expires_at)',
];
