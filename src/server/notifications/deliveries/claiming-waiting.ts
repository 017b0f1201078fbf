import { type RawBuilder, sql, type Transaction } from 'kysely';
import { unnested } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { NotificationsDeps } from '../deps.ts';
import type { AttemptOutcome, ClaimedDelivery } from './attempt.ts';
import { claimedColumns, destinationColumns, joinDestination } from './claimed-columns.ts';
import type { ClaimOptions } from './claiming.ts';
import { outcomeWithoutPost } from './outcome.ts';

export interface WaitingClaim {
  /** To be posted now: marked as being sent, but for tests, whose post `beginTest` marks. */
  deliveries: ClaimedDelivery[];
  /** What becomes of the others, to be recorded. */
  outcomes: AttemptOutcome[];
}

interface WaitingClaimOptions extends ClaimOptions {
  /**
   * Ids of deliveries that this process holds. They are left alone: their lease may have ended early, where
   * the clock of the database went ahead.
   */
  held: string[];
  /** Whether to take what another worker was sending. */
  takesOver: boolean;
}

/**
 * Takes the lease of up to `count` pending deliveries whose time has come: tests, alerts, those to be
 * tried again, and those whose worker was killed.
 */
export async function claimWaiting(
  { database, chats }: Pick<NotificationsDeps, 'database' | 'chats'>,
  options: WaitingClaimOptions,
): Promise<WaitingClaim> {
  if (!(await isAnyWaiting(database))) return { deliveries: [], outcomes: [] };
  return await inTransaction(database.sql, async (transaction) => {
    const found = await lockWaiting(transaction, options);
    const [deliveries, outcomes]: [WaitingDelivery[], AttemptOutcome[]] = [[], []];
    for (const row of found) {
      const outcome = outcomeWithoutPost(row, chats.get(row.chat), options);
      if (outcome) outcomes.push(outcome);
      else deliveries.push(row);
    }
    await takeLeases(transaction, found, deliveries, options);
    return { deliveries: deliveries.map(begun), outcomes };
  });
}

/** With the name of the channel that it is posted to. */
type WaitingDelivery = ClaimedDelivery & { channelName: string | null };

/** Asked several times a second: far less work than the claim, of which most find nothing. */
async function isAnyWaiting({ sql: database }: NotificationsDeps['database']): Promise<boolean> {
  const { rows } = await sql`select 1 from deliveries
    where outcome = 'pending' and run_at <= now() limit 1`.execute(database);
  return rows.length > 0;
}

/** As they are before the claim. Those whose notification or destination is gone are deleted. */
async function lockWaiting(
  transaction: Transaction<Schema>,
  { count, held, takesOver }: WaitingClaimOptions,
): Promise<WaitingDelivery[]> {
  const channel = sql`(case t.kind when 'test' then t.channel_id else m.channel_id end)`;
  const { rows } = await sql<WaitingDelivery>`
    with taken as materialized (
      select * from deliveries
      where outcome = 'pending' and run_at <= now() and id <> all(${held}::uuid[])
        and (sending_at is null or ${takesOver}::boolean)
      order by run_at limit ${count}::int for update skip locked
    ), found as materialized (
      select t.user_id, t.messenger_id, t.local_date, t.sequence, t.id, t.kind, t.due_at,
        t.sending_at, coalesce(t.lost_at, t.sending_at) as lost_at, t.attempts, t.failures,
        t.resends, t.reason, m.operations, m.zone, m.offset_minutes,
        coalesce((t.draft_settings->>'chart')::boolean, m.chart) as chart,
        case t.kind when 'alert' then '' else coalesce(t.draft, m.message) end as text,
        case t.kind when 'alert' then ${crossingsOf} end as crossings, ${channel} as channel_id,
        case t.kind when 'test' then t.channel_name else m.channel_name end as channel_name,
        t.kind <> 'alert' and coalesce((t.draft_settings->>'variables')::boolean, m.variables)
          as variables,
        t.draft_accounts, t.draft_settings,
        case when m.paused_at is not null then coalesce(m.paused_reason, 'paused')
          when m.stopped or m.paused_until > t.local_date then 'paused' end as paused_reason,
        ${destinationColumns}
      from taken t join messengers m on m.user_id = t.user_id and m.id = t.messenger_id
      ${joinDestination(channel)}
    ), orphans as (
      delete from deliveries d using taken t where ${sameDelivery('d', 't')}
        and not exists (select from found f where ${sameDelivery('f', 't')})
    )
    select f.id, f.sequence, f.kind, f.crossings, f.local_date as "localDate", f.due_at as "dueAt",
      f.attempts, f.failures, f.resends, f.sending_at as "sendingAt", f.lost_at as "lostAt",
      f.reason as "lastReason",
      f.draft_accounts as "draftAccounts", f.draft_settings as "draftSettings",
      f.channel_name as "channelName", f.paused_reason as "pausedReason", ${claimedColumns}
    from found f order by f.due_at`.execute(transaction);
  return rows;
}

async function takeLeases(
  transaction: Transaction<Schema>,
  found: WaitingDelivery[],
  deliveries: WaitingDelivery[],
  { now, settings }: WaitingClaimOptions,
): Promise<void> {
  const marked = new Set(deliveries);
  const rows = found.map((row) => ({
    ...{ user_id: row.userId, messenger_id: row.messengerId },
    ...{ local_date: row.localDate, sequence: row.sequence, is_marked: marked.has(row) },
    ...{ channel_id: row.channelId, channel_name: row.channelName },
  }));
  await sql`
    update deliveries d set run_at = now() + ${settings.leaseMs} * interval '1 ms',
      sending_at = case when is_marked and d.kind <> 'test' then ${now} else d.sending_at end,
      lost_at = case when is_marked then coalesce(d.lost_at, d.sending_at) else d.lost_at end,
      reason = case when not is_marked then d.reason end,
      attempts = d.attempts + is_marked::int,
      resends = d.resends + (is_marked and d.sending_at is not null)::int,
      channel_id = case when is_marked then given.channel_id else d.channel_id end,
      channel_name = case when is_marked then given.channel_name else d.channel_name end
    from ${unnested(rows, {
      ...{ user_id: 'uuid', messenger_id: 'uuid', local_date: 'date', sequence: 'int' },
      ...{ is_marked: 'boolean', channel_id: 'text', channel_name: 'text' },
    })} where ${sameDelivery('d', 'given')}`.execute(transaction);
}

/** As its row is now. */
function begun(row: WaitingDelivery): WaitingDelivery {
  const resends = row.resends + (row.sendingAt === null ? 0 : 1);
  return { ...row, attempts: row.attempts + 1, resends };
}

function sameDelivery(one: string, other: string): RawBuilder<boolean> {
  const columns = ['user_id', 'messenger_id', 'local_date', 'sequence'];
  return sql.raw(columns.map((name) => `${one}.${name} = ${other}.${name}`).join(' and '));
}

/**
 * At the start of the only process of an embedded database: what an earlier one was sending waits for
 * no lease.
 */
export async function releaseLeases({
  database,
}: Pick<NotificationsDeps, 'database'>): Promise<void> {
  await sql`update deliveries set run_at = now()
    where outcome = 'pending' and sending_at is not null and run_at > now()`.execute(database.sql);
}

/**
 * What the alert `t` tells, as `NamedCrossing`s; null when all of it was deleted or hidden since. An account
 * that `m` does not cover any more is told by an alert on it alone.
 */
const crossingsOf = sql`(
  select json_agg(json_build_object('amountMinor', c.amount_minor, 'balanceMinor', c.balance_minor,
    'changeMinor', c.change_minor, 'currency', c.currency, 'accounts', c.accounts,
    'asOf', (date_part('epoch', c.as_of) * 1000)::bigint, 'isHeld', c.release_at is not null,
    'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.name,
      'bank', json_build_object('name', a.bank_name)) end) order by c.id)
  from alert_crossings c
  join alerts w on w.user_id = c.user_id and w.id = c.alert_id
  left join bank_accounts a on a.user_id = c.user_id and a.id = c.account_id
  left join messenger_accounts chosen on m.account_scope = 'chosen' and chosen.user_id = m.user_id
    and chosen.messenger_id = m.id and chosen.account_id = a.id
  where c.delivery_id = t.id and (a.id is null or (a.gone_at is null and (w.account_id = a.id
    or m.account_scope = 'all' or coalesce(chosen.included, m.includes_new)))))`;
