import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

interface Mailbox {
  user_id: string;
  id: string;
}

/** The owner of a mailbox is asked to take a notification: an address that was asked before takes it no more. */
export async function openQuestion(
  database: Kysely<Schema>,
  { user_id, id }: Mailbox,
  messengerId: string,
): Promise<void> {
  await database
    .updateTable('messengers')
    .set({ asked_mailbox_id: id })
    .where('user_id', '=', user_id)
    .where('id', '=', messengerId)
    .execute();
}

/** The notifications that the owner of a mailbox is asked to take. */
export async function listQuestions(
  database: Kysely<Schema>,
  { user_id, id }: Mailbox,
): Promise<string[]> {
  const rows = await database
    .selectFrom('messengers')
    .select('id')
    .where('user_id', '=', user_id)
    .where('asked_mailbox_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/**
 * These notifications have a place to go to: an address that was asked before, and accepts now, does not take
 * them away from there.
 */
export async function withdrawQuestions(
  transaction: Transaction<Schema>,
  userId: string,
  messengerIds: string[],
): Promise<void> {
  if (messengerIds.length === 0) return;
  await transaction
    .updateTable('messengers')
    .set({ asked_mailbox_id: null })
    .where('user_id', '=', userId)
    .where('id', 'in', messengerIds)
    .execute();
}

/** A question ends with its link: an address that is asked anew answers what it is asked then. */
export async function withdrawUnanswered(database: Kysely<Schema>): Promise<void> {
  await sql`
    update messengers m set asked_mailbox_id = null
    where asked_mailbox_id is not null and not exists (select from mailbox_tokens t
      where t.user_id = m.user_id and t.mailbox_id = m.asked_mailbox_id
        and t.purpose = 'confirmation')`.execute(database);
}
