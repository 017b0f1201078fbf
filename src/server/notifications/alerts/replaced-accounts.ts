import { sql, type Transaction } from 'kysely';
import type { ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Alerts on accounts that are about to be erased watch those that stand for them, where these come from the same
 * source and have no such alert, and one where several would be alike. A movement is measured from the next
 * figure.
 */
export async function watchReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.flatMap(({ id, by, isSameSource }) => (isSameSource ? [{ id, by }] : []));
  await sql`
    with moving as (
      select distinct on (a.messenger_id, given.by, a.currency, a.kind, a.amount_minor) a.id, given.by
      from ${records(pairs, 'id int, by int')}
      join alerts a on a.user_id = ${userId} and a.account_id = given.id
      where not exists (
        select from alerts other where other.user_id = a.user_id and other.account_id = given.by
          and other.messenger_id = a.messenger_id and other.currency = a.currency
          and other.kind = a.kind and other.amount_minor = a.amount_minor)
      order by a.messenger_id, given.by, a.currency, a.kind, a.amount_minor, a.id
    ), moved as (
      update alerts a set account_id = moving.by from moving
      where a.user_id = ${userId} and a.id = moving.id
    )
    update alert_crossings c set account_id = moving.by from moving
    where c.user_id = ${userId} and c.alert_id = moving.id`.execute(transaction);
}
