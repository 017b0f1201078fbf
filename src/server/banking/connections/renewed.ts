import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { BankAccount } from '../../providers/banks/port.ts';
import { numberFingerprint } from './fingerprints.ts';
import type { WriteScope } from './store.ts';

/**
 * Gives a stored account its new id at the source, when the source lists the same number in the same
 * currency under another one: the account keeps our number, and with it its history and the notifications
 * that name it.
 */
export async function adoptRenewed(
  transaction: Transaction<Schema>,
  { userId, source }: Pick<WriteScope, 'userId' | 'source'>,
  accounts: BankAccount[],
  connections: Map<string, number>,
): Promise<void> {
  const rows = accounts.map(({ id, number, connectionId, balance }) => ({
    source_id: id,
    fingerprint: numberFingerprint(userId, number),
    currency: balance.currency,
    connection_id: connections.get(connectionId) ?? null,
  }));
  if (rows.every(({ fingerprint }) => fingerprint === null)) return;
  await sql`
    update bank_accounts a set source_id = given.source_id, connection_id = given.connection_id
    from ${records(rows, 'source_id text, fingerprint text, currency text, connection_id bigint')}
    where a.user_id = ${userId} and a.source = ${source} and a.print = given.fingerprint
      and a.currency = given.currency
      and given.connection_id is not null
      and a.source_id not in (select source_id from ${records(rows, 'source_id text')})
      and not exists (select 1 from bank_accounts b where b.user_id = a.user_id
        and b.source = a.source and b.source_id = given.source_id)
      and a.id = (select min(o.id) from bank_accounts o where o.user_id = a.user_id
        and o.source = a.source and o.print = a.print
        and o.currency = a.currency)`.execute(transaction);
}
