import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Platform } from '../../platform/platform.ts';

type DatabaseDeps = Pick<Platform, 'database'>;
type WritingDeps = Pick<Platform, 'database' | 'clock' | 'randomness'>;

export type MessengerRow = Awaited<ReturnType<typeof listMessengers>>[number];

/** Oldest first, each with its workspace and its last daily delivery, in one read. */
export async function listMessengers({ database }: DatabaseDeps, ownerId: string) {
  return await database.remember(`messengers:${ownerId}`, () =>
    read(database.sql, ownerId).orderBy('messengers.created_at').orderBy('messengers.id').execute(),
  );
}

/** Null for an unknown id, someone else's, or what is no id at all. */
export async function findMessenger(
  { database }: DatabaseDeps,
  ownerId: string,
  id: string,
): Promise<MessengerRow | null> {
  if (!isMessengerId(id)) return null;
  const row = await read(database.sql, ownerId).where('messengers.id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The next moment anything is due, of all users: what the demonstration's clock jumps to. */
export async function earliestSending(database: DatabaseDeps['database']): Promise<Date | null> {
  const row = await database.sql
    .selectFrom('messengers')
    .select((is) => is.fn.min('next_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The oldest notification of a workspace, made now if there is none: two requests at once make one. */
export async function insertFirstMessenger(
  deps: WritingDeps,
  ownerId: string,
  workspaceId: string,
): Promise<{ id: string; isNew: boolean }> {
  return await deps.database.sql.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('workspaces')
      .select('id')
      .where('user_id', '=', ownerId)
      .where('id', '=', workspaceId)
      .forUpdate()
      .execute();
    const first = await transaction
      .selectFrom('messengers')
      .select('id')
      .where('user_id', '=', ownerId)
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    if (first) return { id: first.id, isNew: false };
    return { id: await insertMessenger(deps, transaction, ownerId, workspaceId), isNew: true };
  });
}

/** New: no channel, no text, 09:00 in Paris. Returns its id. */
export async function insertMessenger(
  { clock, randomness }: WritingDeps,
  database: Kysely<Schema>,
  ownerId: string,
  workspaceId: string,
): Promise<string> {
  const id = randomness.uuid();
  const now = clock.now();
  await database
    .insertInto('messengers')
    .values({
      user_id: ownerId,
      id,
      workspace_id: workspaceId,
      message: '',
      hours: 9,
      minutes: 0,
      zone: 'Europe/Paris',
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}

/** Locks the row: the planner moves `next_at` and `planned_on` of the same one. */
export async function lockMessenger(transaction: Transaction<Schema>, ownerId: string, id: string) {
  return await transaction
    .selectFrom('messengers')
    .selectAll()
    .where('user_id', '=', ownerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** To be asked after the messenger is locked: what disconnects a workspace pauses it afterwards. */
export async function isWorkspaceConnected(
  transaction: Transaction<Schema>,
  ownerId: string,
  workspaceId: string,
): Promise<boolean> {
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('state')
    .where('user_id', '=', ownerId)
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return workspace?.state === 'connected';
}

export async function updateMessenger(
  transaction: Transaction<Schema>,
  ownerId: string,
  id: string,
  change: Updateable<Schema['messengers']>,
): Promise<void> {
  await transaction
    .updateTable('messengers')
    .set(change)
    .where('user_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/** For each of these accounts whether the notification is about it; of others what is `kept` stands. */
export async function saveAccounts(
  transaction: Transaction<Schema>,
  ownerId: string,
  id: string,
  { kept, choices }: { kept: number[]; choices: { accountId: number; included: boolean }[] },
): Promise<void> {
  await transaction
    .deleteFrom('messenger_accounts')
    .where('user_id', '=', ownerId)
    .where('messenger_id', '=', id)
    .$if(kept.length > 0, (query) => query.where('account_id', 'not in', kept))
    .execute();
  const rows = choices.map(({ accountId, included }) => ({
    user_id: ownerId,
    messenger_id: id,
    account_id: accountId,
    included,
  }));
  if (rows.length > 0) await transaction.insertInto('messenger_accounts').values(rows).execute();
}

/** False when there was none of this user's. Its deliveries go with it. */
export async function deleteMessenger(
  { database }: DatabaseDeps,
  ownerId: string,
  id: string,
): Promise<boolean> {
  if (!isMessengerId(id)) return false;
  const { numDeletedRows } = await database.sql
    .deleteFrom('messengers')
    .where('user_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The database would answer a malformed id with a fault instead of no row. */
function isMessengerId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id);
}

/** The ids of the accounts it covers, where they were chosen one by one; else null. */
const chosenAccounts = sql<number[] | null>`(
  select json_agg(a.id order by a.id) from bank_accounts a
  left join messenger_accounts c on c.user_id = a.user_id and c.messenger_id = messengers.id
    and c.account_id = a.id
  where messengers.account_scope = 'chosen' and a.user_id = messengers.user_id
    and a.type = 'checking' and a.gone_at is null
    and coalesce(c.included, messengers.includes_new))`.as('chosen_accounts');

function read(database: Kysely<Schema>, ownerId: string) {
  return database
    .selectFrom('messengers')
    .innerJoin('workspaces', (on) =>
      on
        .onRef('workspaces.user_id', '=', 'messengers.user_id')
        .onRef('workspaces.id', '=', 'messengers.workspace_id'),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('deliveries')
          .select([
            'deliveries.id as last_id',
            'deliveries.kind as last_kind',
            'deliveries.due_at as last_due_at',
            'deliveries.sent_at as last_sent_at',
            'deliveries.outcome as last_outcome',
            'deliveries.resends as last_resends',
            'deliveries.reason as last_reason',
            'deliveries.channel_name as last_channel_name',
          ])
          .whereRef('deliveries.user_id', '=', 'messengers.user_id')
          .whereRef('deliveries.messenger_id', '=', 'messengers.id')
          .where('deliveries.kind', '=', 'daily')
          .orderBy('deliveries.due_at', 'desc')
          .limit(1)
          .as('last'),
      (on) => on.onTrue(),
    )
    .selectAll('messengers')
    .selectAll('last')
    .select(chosenAccounts)
    .select(['workspaces.team_name', 'workspaces.state as workspace_state'])
    .where('messengers.user_id', '=', ownerId);
}
