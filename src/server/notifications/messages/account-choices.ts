import { sql, type Transaction } from 'kysely';
import type { RenamedAccount, ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Accounts that stand for others which are about to be erased are covered where those were chosen, unless
 * another one with their IBAN is covered there.
 */
export async function chooseReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  const pairs = replaced.map(({ id, by }) => ({ id, by }));
  const erased = replaced.map(({ id }) => id);
  await sql`
    insert into messenger_accounts (user_id, messenger_id, account_id, included)
    select distinct c.user_id, c.messenger_id, given.by, true
    from ${records(pairs, 'id int, by int')}
    join messenger_accounts c on c.user_id = ${userId} and c.account_id = given.id and c.included
    join messengers m on m.user_id = c.user_id and m.id = c.messenger_id
    join bank_accounts n on n.user_id = c.user_id and n.id = given.by
    where not exists (
      select from bank_accounts other
      left join messenger_accounts chosen on chosen.user_id = other.user_id
        and chosen.messenger_id = m.id and chosen.account_id = other.id
      where other.user_id = n.user_id and other.iban_print = n.iban_print
        and other.currency = n.currency and other.gone_at is null
        and other.id <> all(${erased}::int[]) and coalesce(chosen.included, m.includes_new))
    order by c.messenger_id, given.by
    on conflict (user_id, messenger_id, account_id) do update set included = true`.execute(
    transaction,
  );
}

/**
 * Accounts that come are left out where one with the same IBAN was, and none was chosen: who leaves an account
 * out of a channel and links its bank anew does not want it there, though new accounts are covered.
 */
export async function leaveOutCopies(
  transaction: Transaction<Schema>,
  userId: string,
  accounts: RenamedAccount[],
): Promise<void> {
  const come = accounts.filter(({ before }) => before === null).map(({ id }) => id);
  if (come.length === 0) return;
  await sql`
    insert into messenger_accounts (user_id, messenger_id, account_id, included)
    select c.user_id, c.messenger_id, n.id, false
    from bank_accounts n
    join bank_accounts o on o.user_id = n.user_id and o.iban_print = n.iban_print
      and o.currency = n.currency and o.connection_id <> n.connection_id
    join messenger_accounts c on c.user_id = o.user_id and c.account_id = o.id
    where n.user_id = ${userId} and n.id = any(${come}::int[])
    group by c.user_id, c.messenger_id, n.id having not bool_or(c.included)
    order by c.messenger_id, n.id
    on conflict do nothing`.execute(transaction);
}

/** When accounts are erased, it is forgotten for which notifications they were chosen, or left out. */
export async function forgetChoices(
  transaction: Transaction<Schema>,
  userId: string,
  accountIds: number[],
): Promise<void> {
  await transaction
    .deleteFrom('messenger_accounts')
    .where('user_id', '=', userId)
    .where('account_id', 'in', accountIds)
    .execute();
}
