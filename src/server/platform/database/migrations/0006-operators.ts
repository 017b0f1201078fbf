import { type Kysely, sql } from 'kysely';

/** What is told to whoever runs the installation: once per cause and day, to each address. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table operator_mails (
      cause text not null,
      day date not null,
      recipient text not null,
      subject text not null,
      body text not null,
      created_at timestamptz not null,
      sent_at timestamptz,
      failure text,
      primary key (cause, day, recipient)
    )`)
    .execute(database);
}
