import { type Kysely, sql } from 'kysely';

/**
 * Nothing is erased on one reading: a connection that is missing from one is hidden first, and an
 * account says whether a later reading missed it too. `print` names the same account behind another
 * id of its source. Reminders of ending consents are written once.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table bank_connections add column gone_at timestamptz',
  `create index bank_connections_consent on bank_connections (authentication_expires_at)
    where authentication_expires_at is not null`,
  `alter table bank_accounts add column gone_confirmed boolean not null default false,
    add column print text`,
  `create table bank_reminders (
    user_id uuid not null,
    connection_id bigint not null,
    kind text not null check (kind in ('14-days', '3-days')),
    ends_on date not null,
    created_at timestamptz not null,
    primary key (user_id, connection_id, kind, ends_on),
    foreign key (user_id, connection_id) references bank_connections (user_id, id) on delete cascade
  )`,
];
