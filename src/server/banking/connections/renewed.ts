import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { records } from '../../platform/database/records.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { BankAccount } from '../../providers/banks/port.ts';
import type { Reading } from './missing.ts';

/**
 * Gives a stored account its new id at the source, when the source lists the same number in the same
 * currency under another one: the account keeps our number, and with it its history and the notifications that name it.
 */
export async function adoptRenewed(
  transaction: Transaction<Schema>,
  { userId, source }: Pick<Reading, 'userId' | 'source'>,
  accounts: BankAccount[],
  connections: Map<string, number>,
): Promise<void> {
  const rows = accounts.map(({ id, number, connectionId, balance }) => ({
    source_id: id,
    print: printOf(userId, number),
    currency: balance.currency,
    connection_id: connections.get(connectionId) ?? null,
  }));
  if (rows.every(({ print }) => print === null)) return;
  await sql`
    update bank_accounts a set source_id = given.source_id, connection_id = given.connection_id
    from ${records(rows, 'source_id text, print text, currency text, connection_id bigint')}
    where a.user_id = ${userId} and a.source = ${source} and a.print = given.print
      and a.currency = given.currency
      and given.connection_id is not null
      and a.source_id not in (select source_id from ${records(rows, 'source_id text')})
      and not exists (select 1 from bank_accounts b where b.user_id = a.user_id
        and b.source = a.source and b.source_id = given.source_id)
      and a.id = (select min(o.id) from bank_accounts o where o.user_id = a.user_id
        and o.source = a.source and o.print = a.print
        and o.currency = a.currency)`.execute(transaction);
}

/** The same for one account of one person under all its ids; the number itself is not stored. */
export function printOf(userId: string, number: string | null | undefined): string | null {
  const bare = (number ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  if (bare.length < 8) return null;
  return createHash('sha256').update(`${userId} ${bare}`).digest('hex').slice(0, 32);
}

/**
 * The same for one account under every source that tells its IBAN; null without one, because a bank's own
 * number is that of one account only together with the bank. Of a French IBAN, bank, branch and account
 * count without the key: a statement may say no more.
 */
export function ibanPrintOf(userId: string, number: string | null | undefined): string | null {
  const bare = (number ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  const french = /^(?:FR\d\d)?(\d{10}[0-9A-Z]{11})(?:\d\d)?$/.exec(bare)?.[1];
  const iban = french ?? (/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(bare) ? bare : null);
  return iban === null
    ? null
    : createHash('sha256').update(`${userId} iban ${iban}`).digest('hex').slice(0, 16);
}
