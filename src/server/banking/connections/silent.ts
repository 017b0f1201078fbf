import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { BankReading } from '../../providers/banks/port.ts';
import { numberFingerprint } from './fingerprints.ts';
import type { WriteScope } from './store.ts';

/**
 * Connections that are told to be in order and list no account, though accounts of them are shown: an empty
 * list is no word about these accounts, so their bank counts as one that did not answer, for a week: what is
 * empty for so long is meant so. Nothing is silent whose accounts are named elsewhere in the reading: as no longer
 * shared, as unread, or under another id or connection.
 */
export async function findSilent(
  transaction: Transaction<Schema>,
  { userId, source, startedAt }: WriteScope,
  { connections, accounts, unshared = [], unreadAccounts = [] }: BankReading,
): Promise<NonNullable<BankReading['unread']>> {
  const listing = new Set(accounts.map(({ connectionId }) => connectionId));
  const empty = connections.filter(
    ({ id, state }) => (state === 'ok' || state === 'confirm-accounts') && !listing.has(id),
  );
  if (empty.length === 0) return [];
  const named = [
    ...accounts.map(({ id, number }) => ({ id, print: numberFingerprint(userId, number) })),
    ...[...unshared, ...unreadAccounts].map((id) => ({ id, print: null })),
  ];
  const { rows } = await sql<{ source_id: string }>`
    select c.source_id from bank_connections c join bank_accounts a
      on a.user_id = c.user_id and a.connection_id = c.id and a.gone_at is null
    where c.user_id = ${userId} and c.source = ${source}
      and c.seen_at > ${startedAt}::timestamptz - interval '7 days'
      and c.source_id in (select id from ${records(empty, 'id text')})
    group by c.source_id
    having not bool_or(exists (select 1 from ${records(named, 'id text, print text')}
      where given.id = a.source_id or given.print = a.print))`.execute(transaction);
  const silent = new Set(rows.map((row) => row.source_id));
  return empty
    .filter(({ id }) => silent.has(id))
    .map(({ id, state }) => ({ id, state: state === 'ok' ? 'unreachable' : state }));
}
