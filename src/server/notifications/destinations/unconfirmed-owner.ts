import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { deletionOfMailboxMails } from './mailbox-mails.ts';

/**
 * After a password reset by mail: ends what a stranger may have set up who had signed up with the address
 * (docs/decisions/0020-confirmed-by-the-account.md). Disconnects the destinations that were
 * linked before a moment, or all of them with null, forgets the links under way, and stops the
 * notifications that are older or post there. False when there were none. Their rows stay, so that the
 * owner of the account sees what there was.
 */
export async function endDestinationsOfUnconfirmedOwner(
  transaction: Transaction<Schema>,
  userId: string,
  before: Date | null,
): Promise<boolean> {
  await transaction
    .deleteFrom('destination_authorizations')
    .where('user_id', '=', userId)
    .execute();
  await deleteMailboxTokens(transaction, userId, before);
  // They are abandoned: the upkeep revokes them.
  await transaction
    .updateTable('destinations')
    .set(({ ref }) => ({ pending_until: ref('created_at') }))
    .where('user_id', '=', userId)
    .where('state', '=', 'pending')
    .execute();
  const ended = await transaction
    .updateTable('destinations')
    .set({ state: 'disconnected' })
    .where('user_id', '=', userId)
    .where('state', '=', 'connected')
    .$if(before !== null, (query) => query.where('created_at', '<', before))
    .returning('id')
    .execute();
  // Read under the lock: one of them may be resumed at this moment.
  const older = await transaction
    .selectFrom('messengers')
    .select(['id', 'stopped'])
    .where('user_id', '=', userId)
    .$if(before !== null, (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('created_at', '<', before),
          eb('destination_id', 'in', ['', ...ended.map(({ id }) => id)]),
        ]),
      ),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const active = older.filter(({ stopped }) => !stopped).map(({ id }) => id);
  if (active.length > 0) {
    await transaction
      .updateTable('messengers')
      .set({ stopped: true })
      .where('user_id', '=', userId)
      .where('id', 'in', active)
      .execute();
  }
  return ended.length > 0 || active.length > 0;
}

/** An address whose owner was asked before is not linked by the answer. */
async function deleteMailboxTokens(
  transaction: Transaction<Schema>,
  userId: string,
  before: Date | null,
): Promise<void> {
  const older = transaction
    .selectFrom('mailboxes')
    .select('id')
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('created_at', '<', before));
  await transaction
    .deleteFrom('mailbox_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'confirmation')
    .where('mailbox_id', 'in', older)
    .execute();
  await deletionOfMailboxMails(transaction, userId)
    .$if(before !== null, (query) => query.where('created_at', '<', before))
    .execute();
  await transaction
    .deleteFrom('mailboxes')
    .where('user_id', '=', userId)
    .where('state', '=', 'asked')
    .where('id', 'in', older)
    .execute();
}
