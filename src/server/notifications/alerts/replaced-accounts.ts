import { sql, type Transaction } from 'kysely';
import type { ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Alerts on accounts that are about to be erased watch those that stand for them, where these come from the same
 * source and have no such alert. A movement is measured from the next figure.
 */
export async function watchReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.flatMap(({ id, by, isSameSource }) => (isSameSource ? [{ id, by }] : []));
  await sql`
    with moved as (
      update alerts a set account_id = given.by from ${records(pairs, 'id int, by int')}
      where a.user_id = ${userId} and a.account_id = given.id and not exists (
        select from alerts other where other.user_id = a.user_id and other.account_id = given.by
          and other.messenger_id = a.messenger_id and other.currency = a.currency
          and other.kind = a.kind and other.amount_minor = a.amount_minor)
      returning a.id, given.by
    )
    update alert_crossings c set account_id = moved.by from moved
    where c.user_id = ${userId} and c.alert_id = moved.id and c.account_id is not null`.execute(
    transaction,
  );
}
