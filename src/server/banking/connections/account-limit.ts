import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { bankingErrors } from '../errors.ts';

/** What a person adds by hand has no other limit: each account is a line on their screen. */
const mostAccounts = 100;

/**
 * Throws Too_Many_Accounts when these accounts of a source, by the source's ids, would bring one of its
 * connections above the limit. Those that are there already stay. The user must be locked.
 */
export async function checkAccountLimit(
  transaction: Transaction<Schema>,
  { userId, source }: { userId: string; source: string },
  given: { id: string; connectionId: string; bank: string }[],
): Promise<void> {
  const stored = await transaction
    .selectFrom('bank_accounts as a')
    .innerJoin('bank_connections as c', (join) =>
      join.onRef('c.user_id', '=', 'a.user_id').onRef('c.id', '=', 'a.connection_id'),
    )
    .select(['a.source_id', 'c.source_id as connection'])
    .where('a.user_id', '=', userId)
    .where('a.source', '=', source)
    .execute();
  const known = new Set(stored.map((row) => row.source_id));
  for (const [connectionId, ofBank] of Map.groupBy(given, (one) => one.connectionId)) {
    const before = stored.filter(({ connection }) => connection === connectionId).length;
    const added = ofBank.filter(({ id }) => !known.has(id)).length;
    if (added === 0 || before + added <= mostAccounts) continue;
    const message = `«\u202f${ofBank[0]?.bank}\u202f» aurait plus de ${mostAccounts} comptes, c'est le maximum.`;
    throw new ApiError(bankingErrors.Too_Many_Accounts, { message });
  }
}
