import { lockExistingUser } from '../../identity/users/queries.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Completion } from '../../providers/banks/connect.ts';
import { addWithinLimit } from '../connections/limits.ts';
import type { BankingDeps } from '../deps.ts';
import { changeSecretIn } from '../source-links/queries.ts';

/**
 * Stores an access that a person has just opened at a source. Throws Too_Many_Banks; new credentials of a
 * bank that is linked already are always kept.
 */
export async function keepAccess(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'bankSources'>,
  userId: string,
  source: string,
  change: Completion['changeSecret'],
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    await lockExistingUser(transaction, userId);
    await addWithinLimit(deps, transaction, { userId, source }, () =>
      changeSecretIn(transaction, deps, userId, source, change),
    );
  });
}
