import { type Kysely, sql } from 'kysely';

/** An address may be asked to take several notifications. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table messengers add column asked_mailbox_id text',
  `update messengers m set asked_mailbox_id = b.id from mailboxes b
    where b.user_id = m.user_id and b.messenger_id = m.id::text`,
  `create index messengers_asked on messengers (user_id, asked_mailbox_id)
    where asked_mailbox_id is not null`,
  'alter table mailboxes drop column messenger_id',
];
