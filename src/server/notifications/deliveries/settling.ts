import { sql, type Transaction } from 'kysely';
import { mailJobs } from '../../identity/jobs.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { NewJob } from '../../platform/queue/queue.ts';
import type { NotificationsDeps } from '../deps.ts';
import { type DeliveryJob, deliveryJobs } from '../jobs.ts';
import { pauseAfterRefusal } from '../messengers/pausing.ts';
import type { Settlement } from './attempt.ts';
import type { DeliveryFault } from './faults.ts';
import { closeTickets, endedPacks, packsOf } from './packs.ts';
import { report } from './reporting.ts';

type SettlingDeps = Pick<
  NotificationsDeps,
  'database' | 'queue' | 'randomness' | 'vault' | 'configuration' | 'metrics' | 'log' | 'faults'
>;

/**
 * Writes what became of deliveries and ends or renews their jobs, in one transaction. A row that
 * another worker has begun since is left to that worker.
 */
export async function settle(
  deps: SettlingDeps,
  settlements: Settlement[],
  now: Date,
): Promise<void> {
  const faults = faultsOf(settlements);
  await deps.database.sql.transaction().execute(async (transaction) => {
    await changeRows(transaction, settlements);
    await deps.queue.complete(transaction, deliveryJobs, endedPacks(settlements));
    await deps.queue.insert(transaction, deliveryJobs, renewed(settlements));
    await holdTeams(transaction, settlements);
    for (const { refusal } of settlements) {
      if (refusal) await pauseAfterRefusal(deps, transaction, refusal, now);
    }
    if (faults.length > 0) await deps.faults.record(transaction, faults, now);
  });
  closeTickets(settlements);
  report(deps, settlements);
  if (settlements.some(({ refusal }) => refusal)) deps.queue.announce(mailJobs);
  if (faults.length > 0) deps.faults.committed();
}

async function changeRows(
  transaction: Transaction<Schema>,
  settlements: Settlement[],
): Promise<void> {
  const rows = settlements.flatMap(({ ticket: { data }, change }) =>
    change ? [rowOf(data, change)] : [],
  );
  if (rows.length === 0) return;
  await sql`
    update deliveries d set outcome = given.outcome, reason = given.reason,
      sent_at = given.sent_at, finished_at = given.finished_at, chat_ts = given.chat_ts,
      sending_at = case when given.nothing_posted then null else d.sending_at end,
      draft = case when given.outcome = 'pending' then d.draft end,
      draft_accounts = case when given.outcome = 'pending' then d.draft_accounts end,
      figures = given.figures
    from ${records(rows, changeShape)}
    where d.user_id = given.user_id and d.id = given.id and d.outcome = 'pending'
      and d.attempts = given.number`.execute(transaction);
}

function rowOf(
  { userId, deliveryId }: Settlement['ticket']['data'],
  change: NonNullable<Settlement['change']>,
): object {
  return {
    user_id: userId,
    id: deliveryId,
    number: change.number,
    outcome: change.outcome,
    reason: change.reason,
    sent_at: change.sentAt,
    finished_at: change.finishedAt,
    chat_ts: change.chatTs,
    nothing_posted: change.nothingPosted,
    figures: change.figures ?? null,
  };
}

const changeShape = `user_id uuid, id uuid, number int, outcome text, reason text,
  sent_at timestamptz, finished_at timestamptz, chat_ts text, nothing_posted boolean, figures jsonb`;

/** What waits equally long comes back together. */
function renewed(settlements: Settlement[]): NewJob<DeliveryJob>[] {
  const waits = Map.groupBy(settlements, ({ againAfterSeconds }) => againAfterSeconds);
  return [...waits].flatMap(([startAfterSeconds, waiting]) => {
    if (startAfterSeconds === null) return [];
    const deliveries = waiting.map(({ ticket }) => ticket.data);
    return packsOf(deliveries, { startAfterSeconds });
  });
}

/** By the database's clock: every worker waits equally long, whatever its own clock says. */
async function holdTeams(
  transaction: Transaction<Schema>,
  settlements: Settlement[],
): Promise<void> {
  const limits = new Map<string, number>();
  for (const { limit } of settlements) {
    if (limit) limits.set(limit.teamId, Math.max(limit.seconds, limits.get(limit.teamId) ?? 0));
  }
  if (limits.size === 0) return;
  const rows = [...limits]
    .map(([team_id, seconds]) => ({ team_id, seconds }))
    .sort((one, other) => (one.team_id < other.team_id ? -1 : 1));
  await sql`
    insert into chat_limits (team_id, method, blocked_until)
    select team_id, 'post', now() + make_interval(secs => seconds)
    from ${records(rows, 'team_id text, seconds float8')}
    on conflict (team_id, method) do update
      set blocked_until = greatest(chat_limits.blocked_until, excluded.blocked_until)`.execute(
    transaction,
  );
}

function faultsOf(settlements: Settlement[]): DeliveryFault[] {
  return settlements.flatMap(({ fault, ticket }) =>
    fault ? [{ code: fault, deliveryId: ticket.data.deliveryId }] : [],
  );
}
