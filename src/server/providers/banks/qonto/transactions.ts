import { startOfParisDay } from '../../../../shared/calendar/local-date.ts';
import { parisDayOf } from '../../../../shared/calendar/wall-clock.ts';
import { BankSourceError } from '../failures.ts';
import { isRecord, readMoment, readText } from '../json-fields.ts';
import type { BankTransaction } from '../port.ts';
import { askTransactions, type QontoDeps, type QontoKey } from './calls.ts';

/** A list that is longer, or turns in a circle, is an error: half a list would pass for a whole. */
const maxPages = 50;

/**
 * `GET /v2/transactions` (docs.qonto.com, "transactions"), all its pages: amounts come without a sign.
 * Qonto's moments are of UTC; the days, `since` among them, are those of Paris.
 */
export async function readTransactionsOf(
  deps: QontoDeps,
  key: QontoKey,
  accountId: string,
  since: string,
): Promise<BankTransaction[]> {
  const transactions: BankTransaction[] = [];
  const from = startOfParisDay(since);
  let page: number | null = 1;
  for (let read = 0; page !== null; read += 1) {
    if (read === maxPages) throw unreadable();
    const body = await askTransactions(deps, key, { accountId, since: from, page });
    const { transactions: rows, meta } = isRecord(body) ? body : {};
    if (!Array.isArray(rows)) throw unreadable();
    transactions.push(...rows.map((row) => transactionOf(row, accountId)));
    page = isRecord(meta) && typeof meta.next_page === 'number' ? meta.next_page : null;
  }
  return transactions;
}

function transactionOf(row: unknown, accountId: string): BankTransaction {
  if (!isRecord(row)) throw unreadable();
  const { transaction_id: id, amount_cents: cents, side, settled_at: settled, currency } = row;
  const isRead = typeof id === 'string' && typeof cents === 'number' && Number.isSafeInteger(cents);
  const settledAt = readMoment(settled);
  if (!isRead || !settledAt) throw unreadable();
  // Without its side an amount says neither that it came nor that it left.
  if (side !== 'debit' && side !== 'credit') throw unreadable();
  const label = readText(row.clean_counterparty_name) ?? readText(row.label) ?? '';
  return {
    ...{ id, accountId, day: parisDayOf(settledAt), label },
    // A debit of nothing is 0, not -0.
    minor: side === 'debit' ? 0 - cents : cents,
    currency: typeof currency === 'string' ? currency.toUpperCase() : 'EUR',
  };
}

function unreadable(): BankSourceError {
  return new BankSourceError('unavailable', 'Qonto answered transactions that cannot be read');
}
