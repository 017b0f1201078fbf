import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** Begins the cause of each mail that asks the owner of an address. */
export const mailboxMailCause = 'mailbox';

/** The deletion of the mails of a user that ask owners of addresses and wait to be sent: to be executed. */
export function deletionOfMailboxMails(database: Kysely<Schema>, userId: string) {
  return database
    .deleteFrom('mails')
    .where('user_id', '=', userId)
    .where(sql`split_part(cause, ' ', 1)`, '=', mailboxMailCause)
    .where('sent_at', 'is', null);
}
