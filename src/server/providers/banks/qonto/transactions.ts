import { isRecord } from '../json-fields.ts';
import { BankSourceError, type BankTransaction } from '../port.ts';
import { askTransactions, type QontoDeps, type QontoKey } from './calls.ts';

/** A thousand transactions of one account in a few days are more than a message can tell. */
const maxPages = 10;

/**
 * `GET /v2/transactions` (docs.qonto.com, "transactions"), all its pages: amounts come without a sign.
 */
export async function readTransactionsOf(
  deps: QontoDeps,
  key: QontoKey,
  accountId: string,
  since: string,
): Promise<BankTransaction[]> {
  const transactions: BankTransaction[] = [];
  for (let page: number | null = 1; page !== null && page <= maxPages; ) {
    const body = await askTransactions(deps, key, { accountId, since, page });
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
  if (!isRead || typeof settled !== 'string') throw unreadable();
  // Without its side an amount says neither that it came nor that it left.
  if (side !== 'debit' && side !== 'credit') throw unreadable();
  const label = [row.clean_counterparty_name, row.label].find((text) => typeof text === 'string');
  return {
    ...{ id, accountId, day: settled.slice(0, 10), label: label ?? '' },
    minor: side === 'debit' ? -cents : cents,
    currency: typeof currency === 'string' ? currency.toUpperCase() : 'EUR',
  };
}

function unreadable(): BankSourceError {
  return new BankSourceError('unavailable', 'Qonto answered transactions that cannot be read');
}
