import { type Actor, lockActor } from '../../identity/sessions/queries.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import type { Completion } from '../../providers/banks/connect.ts';
import { addWithinLimit } from '../connections/limits.ts';
import type { BankingDeps } from '../deps.ts';
import { changeSecretIn } from '../source-links/queries.ts';

/**
 * Stores an access that a person has just opened at a source. Throws Too_Many_Banks, and as `lockActor` does;
 * new credentials of a bank that is linked already are kept at the limit as well.
 */
export async function keepAccess(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'bankSources'>,
  actor: Actor,
  source: string,
  change: Completion['changeSecret'],
): Promise<void> {
  await inTransaction(deps.database.sql, async (transaction) => {
    const { id: userId } = await lockActor(transaction, actor);
    await addWithinLimit(deps, transaction, { userId, source }, () =>
      changeSecretIn(transaction, deps, userId, source, change),
    );
  });
}
