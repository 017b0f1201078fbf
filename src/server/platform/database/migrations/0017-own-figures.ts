import { type Kysely, sql } from 'kysely';

/**
 * `iban_print` names the same account behind several sources; it is written with the next reading of
 * each. `statement_folders`: which folder of the operator's feeds which account.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table bank_accounts add column iban_print text',
  `create table statement_folders (
    name text primary key,
    user_id uuid not null references users on delete cascade,
    bank_name text not null,
    account_name text not null,
    iban_print text,
    account_source_id text,
    created_at timestamptz not null,
    leased_until timestamptz,
    read_at timestamptz,
    refused_at timestamptz,
    refusal text
  )`,
  'create index statement_folders_user on statement_folders (user_id)',
];
