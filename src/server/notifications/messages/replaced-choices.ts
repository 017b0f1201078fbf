import { sql, type Transaction } from 'kysely';
import type { ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** Accounts that stand for others which are about to be erased are covered where those were chosen. */
export async function chooseReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.map(({ id, by }) => ({ id, by }));
  await sql`
    insert into messenger_accounts (user_id, messenger_id, account_id, included)
    select distinct c.user_id, c.messenger_id, given.by, true
    from ${records(pairs, 'id int, by int')}
    join messenger_accounts c on c.user_id = ${userId} and c.account_id = given.id and c.included
    order by c.messenger_id, given.by
    on conflict (user_id, messenger_id, account_id) do update set included = true`.execute(
    transaction,
  );
}
