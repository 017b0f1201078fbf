import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { BankAccount, BankConnection, BankReading } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { balanceRows, knownMoment, lastMomentOf } from '../history/days.ts';
import { lastOfEach } from '../last-of-each.ts';
import type { LinkKey } from '../source-links/queries.ts';
import { numberFingerprint } from './fingerprints.ts';
import { connectionsAboveLimit } from './limits.ts';
import { hideAccounts, type MissingAnswer, reconcileMissing } from './missing.ts';
import { findSilent } from './silent.ts';
import {
  storable,
  tellRenamed,
  type WriteScope,
  type WrittenAccount,
  writeAccounts,
  writeBalances,
  writeConnections,
  writeStates,
} from './store.ts';

/** The link that was read, and what shows that the result is still valid. */
export interface LeasedReading extends WriteScope {
  /** The link's count of erasures when the reading began. */
  erasures: number;
  /** `Lease.until` of the reading. */
  until: string;
}

/**
 * Brings what is stored of a link up to what was read, and ends the lease. `asked`: what the source said
 * of connections that the reading lacks. Returns null and writes nothing when something of the link was
 * erased since the reading began, because the reading may still contain it. Writes nothing either when
 * the lease has passed to another worker, whose reading is newer. Where people add banks on the source's
 * page alone, returns the ids of new connections that would exceed the limit: nothing is stored of them.
 */
export async function storeReading(
  deps: Pick<BankingDeps, 'database' | 'figureListener' | 'bankSources' | 'vault'>,
  reading: LeasedReading,
  read: BankReading,
  asked: MissingAnswer = { gone: [], there: [] },
): Promise<string[] | null> {
  const { database, figureListener } = deps;
  const { connections: listed, accounts, unshared = [], unreadAccounts = [] } = read;
  const aboveLimit = await inTransaction(database.sql, async (transaction) => {
    const above = await aboveLimitOf(deps, transaction, reading, listed);
    const refresh = await lockRefresh(transaction, reading);
    if (refresh && refresh.until !== reading.until) return [];
    if (refresh?.erasures !== reading.erasures) return null;
    const silent = await findSilent(transaction, reading, read);
    const unread = [...(read.unread ?? []), ...silent];
    const left = new Set([...above, ...silent.map(({ id }) => id)]);
    const given = lastOfEach(listed).filter(({ id }) => !left.has(id));
    const ids = given.map(({ id }) => id);
    const connections = await writeConnections(transaction, reading, given);
    // Before what is missing goes: a renewed consent may list the same accounts under other ids.
    const renewed = await adoptRenewed(transaction, reading, accounts, connections);
    if (renewed.length > 0) await figureListener.renewed(transaction, reading.userId, renewed);
    const told = { listed: ids, unread: unread.map(({ id }) => id), ...asked };
    await reconcileMissing(deps, transaction, reading, told);
    await writeStates(transaction, reading, unread);
    // A source may still list the accounts of a connection that it no longer lists: they are left out.
    const known = lastOfEach(accounts).filter(({ connectionId }) => connections.has(connectionId));
    const numbers = await writeAccounts(transaction, reading, known, connections);
    const staying = [...known.map(({ id }) => id), ...unreadAccounts];
    await hideAccounts(transaction, reading, staying, unshared);
    // Once those are hidden in whose place others came: an account is named among those that are shown.
    await tellRenamed({ figureListener }, transaction, reading.userId, numbers);
    await recordFigures({ figureListener }, transaction, reading, known, numbers);
    await endLease(transaction, reading);
    return above;
  });
  figureListener.committed();
  return aboveLimit;
}

/** Only where people add banks on the source's page: anywhere else they are counted before. */
async function aboveLimitOf(
  deps: Pick<BankingDeps, 'bankSources' | 'vault'>,
  transaction: Transaction<Schema>,
  reading: LeasedReading,
  listed: BankConnection[],
): Promise<string[]> {
  const connect = deps.bankSources.get(reading.source)?.connect;
  if (connect?.kind !== 'redirect' || connect.complete) return [];
  const ids = listed.map(({ id }) => id);
  return await connectionsAboveLimit(deps, transaction, reading, ids);
}

async function lockRefresh(transaction: Transaction<Schema>, { userId, source }: WriteScope) {
  return await transaction
    .selectFrom('bank_refreshes')
    .select(['erasures', sql<string | null>`leased_until::text`.as('until')])
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .forUpdate()
    .executeTakeFirst();
}

async function endLease(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
): Promise<void> {
  await transaction
    .updateTable('bank_refreshes')
    .set({ refreshed_at: startedAt, failure: null, unknown_since: null, leased_until: null })
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}

/** Writes the balances that the reading renewed into the history, and hands them to the alerts. */
async function recordFigures(
  { figureListener }: Pick<BankingDeps, 'figureListener'>,
  transaction: Transaction<Schema>,
  { userId, startedAt }: WriteScope,
  accounts: BankAccount[],
  written: Map<string, WrittenAccount>,
): Promise<void> {
  const renewed = accounts.flatMap(({ id, balance }) => {
    const account = written.get(id);
    // Of a figure that was not renewed, the history and the alerts need the date.
    const isUndated = balance.isUnrenewed && knownMoment(balance.asOf) === null;
    return account && !account.is_kept && !isUndated ? [{ id: account.id, balance }] : [];
  });
  await writeBalances(transaction, userId, balanceRows(renewed, startedAt));
  await figureListener.record(transaction, {
    ...{ userId, readAt: startedAt },
    figures: renewed.flatMap(({ id: accountId, balance }) => {
      const { minor, currency } = balance;
      return minor === null ? [] : [{ accountId, minor, currency, asOf: lastMomentOf(balance) }];
    }),
  });
}

/**
 * Gives a stored account its new id at the source, when the source lists the same number in the same
 * currency under another one: the account keeps our number, and with it its history and the notifications
 * that name it. Where several accounts have that number, only one with the same name, and the only one
 * with it, is the same account. Returns our numbers of these accounts.
 */
async function adoptRenewed(
  transaction: Transaction<Schema>,
  { userId, source }: LinkKey,
  accounts: BankAccount[],
  connections: Map<string, number>,
): Promise<number[]> {
  const rows = lastOfEach(accounts).map(({ id, number, name, connectionId, balance }) => ({
    source_id: id,
    fingerprint: numberFingerprint(userId, number),
    currency: balance.currency,
    name: storable(name),
    connection_id: connections.get(connectionId) ?? null,
  }));
  if (rows.every(({ fingerprint }) => fingerprint === null)) return [];
  const { rows: renewed } = await sql<{ id: number }>`
    with listed as materialized (select * from ${records(rows, renewedShape)}),
    fresh as (
      select l.*, count(*) over (partition by fingerprint, currency) as alike,
        count(*) over (partition by fingerprint, currency, name) as namesakes
      from listed l where connection_id is not null and fingerprint is not null
        and not exists (select 1 from bank_accounts b where b.user_id = ${userId}
          and b.source = ${source} and b.source_id = l.source_id)
    ), unlisted as (
      select o.id, print, currency, name, count(*) over (partition by print, currency) as alike,
        count(*) over (partition by print, currency, name) as namesakes
      from bank_accounts o where o.user_id = ${userId} and o.source = ${source}
        and print is not null and o.source_id not in (select source_id from listed)
    )
    update bank_accounts a set source_id = f.source_id, connection_id = f.connection_id
    from fresh f join unlisted u on u.print = f.fingerprint and u.currency = f.currency
      and ((f.alike = 1 and u.alike = 1)
        or (f.name = u.name and f.namesakes = 1 and u.namesakes = 1))
    where a.user_id = ${userId} and a.id = u.id
    returning a.id`.execute(transaction);
  return renewed.map(({ id }) => id);
}

const renewedShape =
  'source_id text, fingerprint text, currency text, name text, connection_id bigint';
