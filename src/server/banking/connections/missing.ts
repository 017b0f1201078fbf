import { type RawBuilder, sql, type Transaction } from 'kysely';
import { hourMs } from '../../../shared/calendar/durations.ts';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { BankingDeps } from '../deps.ts';
import { eraseConnections } from './erasing.ts';
import type { WriteScope } from './store.ts';

/** What the source answered about connections that its list lacked, by its ids. */
export interface MissingAnswer {
  /** It says that it no longer has them. */
  gone: string[];
  /** It says that it has them: its list was not whole. */
  there: string[];
}

/** What a reading said of connections, by the source's ids. */
interface ToldConnections extends MissingAnswer {
  listed: string[];
  /** Those that could not be read. */
  unread: string[];
}

/**
 * A service may err for some minutes, in a list that lacks something or about a user whom it does not know:
 * two readings this far apart confirm it.
 */
export const confirmedAfterMs = hourMs;

/**
 * What becomes of stored connections that a reading lacks. One that the source says is gone is erased,
 * with its accounts, their balances and what messages said of them. About any other one reading is not
 * enough: it is hidden with its accounts, and erased when a reading an hour later lacks it too. One that
 * could not be read stays as it is, unless others have taken over all of its accounts.
 */
export async function reconcileMissing(
  deps: Pick<BankingDeps, 'figureListener' | 'bankSources'>,
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  { listed, unread, ...asked }: ToldConnections,
): Promise<void> {
  const rows = await transaction
    .selectFrom('bank_connections')
    .select(['id', 'source_id', 'gone_at', hasAccounts.as('has_accounts')])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
  const [present, gone] = [new Set([...listed, ...asked.there]), new Set(asked.gone)];
  const waiting = new Set(unread);
  const missing = rows.filter(
    (row) => !present.has(row.source_id) && !(waiting.has(row.source_id) && row.has_accounts),
  );
  const isConfirmed = (at: Date | null) =>
    at !== null && startedAt.getTime() - at.getTime() >= confirmedAfterMs;
  const erased = missing.filter((row) => gone.has(row.source_id) || isConfirmed(row.gone_at));
  const hidden = missing.filter((row) => row.gone_at === null && !erased.includes(row));
  const back = rows.filter((row) => present.has(row.source_id) && row.gone_at !== null);
  await eraseConnections(deps, transaction, userId, idsOf(erased));
  await setGone(transaction, userId, idsOf(hidden), startedAt);
  await setGone(transaction, userId, idsOf(back), null);
}

const hasAccounts = sql<boolean>`exists (select 1 from bank_accounts a
  where a.user_id = bank_connections.user_id and a.connection_id = bank_connections.id)`;

function idsOf(rows: { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/**
 * The accounts that were hidden with their connection come back with it, and no others: not those that the
 * person has ceased to share since.
 */
async function setGone(
  transaction: Transaction<Schema>,
  userId: string,
  ids: number[],
  at: Date | null,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update bank_accounts a set gone_at = ${at}::timestamptz
    from bank_connections c
    where a.user_id = ${userId} and a.connection_id in (${sql.join(ids)})
      and c.user_id = a.user_id and c.id = a.connection_id
      and not a.gone_confirmed and a.gone_at is not distinct from c.gone_at`.execute(transaction);
  await transaction
    .updateTable('bank_connections')
    .set({ gone_at: at })
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .execute();
}

/**
 * Hides accounts: those that the person no longer shares, at once, and those that a connection in order
 * no longer lists. A connection that is being read or repaired lists nothing for a while: its accounts
 * stay, with the age of their figures. `staying`: those that are listed, or could not be read.
 */
export async function hideAccounts(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  staying: string[],
  unshared: string[],
): Promise<void> {
  const confirmedBefore = new Date(startedAt.getTime() - confirmedAfterMs);
  const isUnshared = sql<boolean>`a.source_id in (${idsIn(unshared)})`;
  await sql`
    update bank_accounts a set gone_at = coalesce(a.gone_at, ${startedAt}::timestamptz),
      gone_confirmed = ${isUnshared} or coalesce(a.gone_at <= ${confirmedBefore}, false)
    from bank_connections c
    where a.user_id = ${userId} and a.source = ${source}
      and (not a.gone_confirmed or a.gone_at is null)
      and c.user_id = a.user_id and c.id = a.connection_id
      and (${isUnshared} or a.source_id not in (${idsIn(staying)})
        and c.state in ('ok', 'confirm-accounts') and c.seen_at = ${startedAt})`.execute(
    transaction,
  );
}

function idsIn(sourceIds: string[]): RawBuilder<unknown> {
  const rows = sourceIds.map((source_id) => ({ source_id }));
  return sql`select source_id from ${records(rows, 'source_id text')}`;
}
