import { sql, type Transaction } from 'kysely';
import type { ReplacedAccount } from '../../banking/deps.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';

/**
 * Alerts on accounts that are about to be erased watch the others with their IBAN, where new figures of these come
 * by themselves and they have no such alert, and one where several would be alike. They go on from the stored figure,
 * or from a later one that the alert knows: what it has told is not told again. One that is armed stays so, and a
 * balance over the amount arms. Locks the notifications.
 */
export async function watchReplacements(
  transaction: Transaction<Schema>,
  userId: string,
  replaced: ReplacedAccount[],
): Promise<void> {
  await sql`select from messengers where user_id = ${userId} order by id for update`.execute(
    transaction,
  );
  const pairs = replaced.flatMap(({ id, watchedBy: by }) => (by === null ? [] : [{ id, by }]));
  await sql`
    with moving as materialized (
      select distinct on (a.messenger_id, given.by, a.currency, a.kind, a.amount_minor)
        a.id, a.kind, given.by, latest.minor as balance_minor, latest.at as updated_at
      from ${records(pairs, 'id int, by int')}
      join alerts a on a.user_id = ${userId} and a.account_id = given.id
      join bank_accounts n on n.user_id = a.user_id and n.id = given.by
      left join alert_figures f on f.user_id = a.user_id and f.alert_id = a.id
        and f.account_id = given.id
      cross join lateral (select minor, at from (values (f.balance_minor, f.as_of),
          (n.balance_minor, n.updated_at)) as figures(minor, at)
        order by minor is null, at desc nulls last limit 1) latest
      where not exists (
        select from alerts other where other.user_id = a.user_id and other.account_id = given.by
          and other.messenger_id = a.messenger_id and other.currency = a.currency
          and other.kind = a.kind and other.amount_minor = a.amount_minor)
      order by a.messenger_id, given.by, a.currency, a.kind, a.amount_minor, a.id
    ), moved as (
      update alerts a set account_id = moving.by,
        armed = case when ${fallsFrom} then coalesce(a.armed, false)
          or moving.balance_minor >= a.amount_minor else a.armed end,
        last_minor = case when ${fallsFrom} then moving.balance_minor else a.last_minor end
      from moving where a.user_id = ${userId} and a.id = moving.id
    ), known as (
      insert into alert_figures (user_id, alert_id, account_id, balance_minor, as_of)
      select ${userId}::uuid, id, by, balance_minor, updated_at from moving
      where balance_minor is not null
      on conflict (user_id, alert_id, account_id) do nothing
    )
    update alert_crossings c set account_id = moving.by from moving
    where c.user_id = ${userId} and c.alert_id = moving.id`.execute(transaction);
}

const fallsFrom = sql<boolean>`moving.kind = 'below' and moving.balance_minor is not null`;
