import { sql, type Transaction } from 'kysely';
import type { ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { lockSlotsForShare } from '../schedule/slot-locks.ts';

/**
 * The fingerprints of what was told of these accounts match no more, because the transactions have other ids
 * as well: by their days alone it is known which ones were told.
 */
export async function knowByDays(
  transaction: Transaction<Schema>,
  userId: string,
  accountIds: number[],
): Promise<void> {
  // Locked before the readings, as everywhere.
  await lockSlotsForShare(transaction, userId);
  await sql`
    update message_operations o set accounts = o.accounts || coalesce((
      select jsonb_object_agg(key, case jsonb_typeof(value) when 'object' then value - 'isRead'
        else jsonb_build_object('renewedAfter', value) end)
      from jsonb_each(o.accounts) where key = any(${accountIds.map(String)}::text[])), '{}')
    where o.user_id = ${userId} and jsonb_typeof(o.accounts) = 'object'`.execute(transaction);
}

/**
 * What an account that is about to be erased could not be read for yet, or was read for and not told, is read
 * through the one that stands for it, unless that one is known already.
 */
export async function oweThroughReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.map(({ id, by }) => ({ id: String(id), by: String(by) }));
  await sql`
    update message_operations o set accounts = o.accounts || coalesce((
      select jsonb_object_agg(by, (o.accounts -> id) - 'isRead') from ${records(pairs, 'id text, by text')}
      where jsonb_typeof(o.accounts -> id) = 'object' and o.accounts -> by is null), '{}')
    where o.user_id = ${userId} and jsonb_typeof(o.accounts) = 'object'`.execute(transaction);
}
