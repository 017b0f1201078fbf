import { BankSourceError } from '../../providers/banks/failures.ts';
import type { BankTransaction } from '../../providers/banks/port.ts';
import { listAccounts, type StoredAccount } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { lastOfEach } from '../last-of-each.ts';
import { findLink } from '../source-links/queries.ts';

export interface AccountTransaction extends Omit<BankTransaction, 'id' | 'accountId'> {
  /** Of the source and the transaction, for as long as the source keeps its id. */
  key: string;
  /** Our number. */
  accountId: number;
}

export interface TransactionsReading {
  transactions: AccountTransaction[];
  /** The accounts whose transactions were read, by our numbers. */
  read: number[];
  /** Those that were not, because their banks did not answer, or wait for their owner. */
  failed: UnreadAccount[];
  /** The names of the banks whose source tells no transactions. */
  unable: string[];
}

interface UnreadAccount {
  /** Our number. */
  id: number;
  bankName: string;
}

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'bankSources' | 'log'>;

/**
 * What was moved on accounts of a person, each `since` a day of its own (YYYY-MM-DD), asked of their
 * sources now and not stored. A source that fails does not keep the others from being told.
 */
export async function readTransactions(
  deps: Needed,
  userId: string,
  since: ReadonlyMap<number, string>,
): Promise<TransactionsReading> {
  const accounts = (await listAccounts(deps, userId)).filter(({ id }) => since.has(id));
  const bySource = [...Map.groupBy(accounts, ({ source }) => source)];
  const readings = await Promise.all(
    bySource.map(([source, ofSource]) => readSource(deps, userId, source, ofSource, since)),
  );
  return {
    transactions: readings.flatMap((one) => one.transactions),
    read: readings.flatMap((one) => one.read),
    failed: readings.flatMap((one) => one.failed),
    unable: readings.flatMap((one) => one.unable),
  };
}

async function readSource(
  deps: Needed,
  userId: string,
  source: string,
  accounts: StoredAccount[],
  since: ReadonlyMap<number, string>,
): Promise<TransactionsReading> {
  const none: TransactionsReading = { transactions: [], read: [], failed: [], unable: [] };
  const all = accounts.map(({ id, bank_name: bankName }) => ({ id, bankName }));
  const bankSource = deps.bankSources.get(source);
  if (!bankSource?.readTransactions)
    return { ...none, unable: [...new Set(all.map(({ bankName }) => bankName))] };
  const numbers = new Map(accounts.map(({ id, source_id }) => [source_id, id]));
  try {
    const link = await findLink(deps, userId, source);
    if (!link) return { ...none, failed: all };
    if (link === 'unreadable') {
      throw new BankSourceError('credentials', 'No configured secret opens the credentials.');
    }
    const [first = ''] = accounts.map(({ id }) => since.get(id) ?? '').sort();
    const reading = await bankSource.readTransactions(link, [...numbers.keys()], first);
    const { transactions: given, unread } = reading;
    const transactions = lastOfEach(given).flatMap(({ id, accountId, ...transaction }) => {
      const number = numbers.get(accountId);
      const from = since.get(number ?? 0);
      // Another account needs the days before.
      const isTooOld = from !== undefined && from > first && transaction.day < from;
      return number === undefined || isTooOld
        ? []
        : [{ ...transaction, key: `${source} ${id}`, accountId: number }];
    });
    const missing = new Set(unread.map((id) => numbers.get(id)));
    const read = accounts.map(({ id }) => id).filter((id) => !missing.has(id));
    return { ...none, transactions, read, failed: all.filter(({ id }) => missing.has(id)) };
  } catch (error) {
    if (!(error instanceof BankSourceError)) throw error;
    deps.log.info({ err: error, source }, 'transactions were not read');
    return { ...none, failed: all };
  }
}
