import { type Expression, type SqlBool, sql, type Transaction } from 'kysely';
import { readStates } from '../../../shared/banks/states.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { isAutomaticSource } from '../../providers/banks/automatic-sources.ts';
import type { SourceLink } from '../../providers/banks/connect.ts';
import type { BankingDeps, ReplacedAccount } from '../deps.ts';
import type { StoredConnection } from './queries.ts';

/**
 * Erases a connection with its accounts and their balances, also those kept with sent messages, and does
 * `also` in the same transaction, which may lock the user.
 */
export async function eraseConnection(
  deps: Erasing,
  { user_id: userId, source, id }: StoredConnection,
  also: (transaction: Transaction<Schema>) => Promise<void>,
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    await deps.figureListener.beforeErasure(transaction, userId);
    await also(transaction);
    await noteErasure(transaction, userId, source);
    await eraseConnections(deps, transaction, userId, [id]);
  });
}

/** Gives accounts of a connection to others of its source, `connectionIds` by the source's ids of both. */
export async function passOnAccounts(
  transaction: Transaction<Schema>,
  { user_id: userId, source, id }: StoredConnection,
  connectionIds: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...connectionIds].map(([account, connection]) => ({ account, connection }));
  if (rows.length === 0) return;
  await sql`
    update bank_accounts a set connection_id = c.id
    from ${records(rows, 'account text, connection text')}
    join bank_connections c on c.user_id = ${userId} and c.source = ${source}
      and c.source_id = given.connection and c.gone_at is null
    where a.user_id = ${userId} and a.connection_id = ${id} and a.source_id = given.account`.execute(
    transaction,
  );
}

/**
 * Erases the link of a user whom the source no longer knows, and all that was read through it, unless
 * the user was registered again meanwhile.
 */
export async function eraseForgottenLink(
  deps: Erasing,
  { userId, providerUserId }: Pick<SourceLink, 'userId' | 'providerUserId'>,
  source: string,
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    await noteErasure(transaction, userId, source);
    const { numDeletedRows } = await transaction
      .deleteFrom('bank_links')
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .where('provider_user_id', '=', providerUserId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const all = await transaction
      .selectFrom('bank_connections')
      .select('id')
      .where('user_id', '=', userId)
      .where('source', '=', source)
      .execute();
    const ids = all.map(({ id }) => id);
    await eraseConnections(deps, transaction, userId, ids);
  });
}

type Erasing = Pick<BankingDeps, 'database' | 'figureListener' | 'bankSources'>;

/** Erases these connections of ours with their accounts. */
export async function eraseConnections(
  deps: Pick<Erasing, 'figureListener' | 'bankSources'>,
  transaction: Transaction<Schema>,
  userId: string,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  await deps.figureListener.beforeErasure(transaction, userId);
  // In the order of locks accounts come before notifications, which the listener locks.
  await sql`select from bank_accounts where user_id = ${userId} order by id for update`.execute(
    transaction,
  );
  const replaced = await findReplaced(deps, transaction, userId, ids);
  if (replaced.length > 0) await deps.figureListener.replaced(transaction, userId, replaced);
  const areTheirs = sql<boolean>`connection_id in (${sql.join(ids)})`;
  await eraseAccounts(deps, transaction, userId, areTheirs);
  await transaction
    .deleteFrom('bank_connections')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
}

/**
 * The accounts of these connections of which another connection lists the same one: by its IBAN and currency,
 * which no two accounts of one connection may share, as in totals.
 */
async function findReplaced(
  { bankSources }: Pick<Erasing, 'bankSources'>,
  transaction: Transaction<Schema>,
  userId: string,
  connectionIds: number[],
): Promise<ReplacedAccount[]> {
  const ids = sql.join(connectionIds);
  const automatic = [...bankSources].flatMap(([source, one]) =>
    isAutomaticSource(one) ? [source] : [],
  );
  const isAutomatic = sql`n.source = any(${automatic}::text[])`;
  const isRead = sql`${isAutomatic} and c.state = any(${readStates}::text[])`;
  const bestFirst = sql`order by (${isRead}) desc, n.updated_at desc nulls last, n.id`;
  const { rows } = await sql<ReplacedAccount>`
    with candidates as (
      select *, type = 'checking' and gone_at is null as is_listed,
        count(*) filter (where type = 'checking' and gone_at is null)
          over (partition by connection_id, iban_print, currency) as alike
      from bank_accounts where user_id = ${userId} and iban_print is not null
    )
    select o.id, o.name, o.bank_name as bank, (array_agg(n.id ${bestFirst}))[1] as by,
      (array_agg(n.id ${bestFirst}) filter (where ${isAutomatic}))[1] as "watchedBy"
    from candidates o join candidates n on n.iban_print = o.iban_print and n.currency = o.currency
    join bank_connections c on c.user_id = n.user_id and c.id = n.connection_id
    where o.connection_id in (${ids}) and n.connection_id not in (${ids})
      and n.is_listed and n.alike = 1 and o.alike <= 1
    group by o.id, o.name, o.bank_name order by o.id`.execute(transaction);
  return rows;
}

/**
 * Erases the user's accounts for which `which` holds; the listener erases what is kept of their figures
 * elsewhere.
 */
export async function eraseAccounts(
  { figureListener }: Pick<Erasing, 'figureListener'>,
  transaction: Transaction<Schema>,
  userId: string,
  which: Expression<SqlBool>,
): Promise<void> {
  await figureListener.beforeErasure(transaction, userId);
  const erased = await transaction
    .deleteFrom('bank_accounts')
    .where('user_id', '=', userId)
    .where(which)
    .returning('id')
    .execute();
  if (erased.length === 0) return;
  const accountIds = erased.map(({ id }) => id);
  await figureListener.erased(transaction, userId, accountIds);
}

/** Makes `storeReading` reject a reading that began before this erasure. */
async function noteErasure(
  transaction: Transaction<Schema>,
  userId: string,
  source: string,
): Promise<void> {
  await transaction
    .updateTable('bank_refreshes')
    .set(({ eb }) => ({ erasures: eb('erasures', '+', 1) }))
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}

/**
 * The same of a link that may never have been read, whose row is made: a first reading that is about to
 * begin waits for it, and finds the link as it is then. The user must be locked.
 */
export async function noteErasureOfUnread(
  transaction: Transaction<Schema>,
  userId: string,
  source: string,
): Promise<void> {
  await transaction
    .insertInto('bank_refreshes')
    .values({ user_id: userId, source })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await noteErasure(transaction, userId, source);
}
