import type { Selectable, Transaction } from 'kysely';
import type { BankingDeps } from '../../banking/deps.ts';
import { bankSecrets } from '../../banking/source-links/queries.ts';
import { removeUserFromSources } from '../../banking/source-links/removing-users.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { lastingAccesses } from '../../providers/banks/registry.ts';

type Needed = Pick<BankingDeps, 'database' | 'clock' | 'vault' | 'bankSources'>;
type Deletion = Pick<Selectable<Schema['deletions']>, 'provider_users' | 'requested_at'>;

/** A row has the key of its row in bank_links, which is part of the additional data of the secret. */
export const deletedBankSecrets = { ...bankSecrets, table: 'deletion_banks' };

/**
 * Copies aside the person's own credentials with which accesses are still to be ended; those of other
 * sources open nothing any more once they are forgotten here.
 */
export async function takeBanks(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction
    .insertInto('deletion_banks')
    .columns(['user_id', 'source', 'sealed_secret'])
    .expression((from) =>
      from
        .selectFrom('bank_links')
        .select(({ ref }) => ['user_id', 'source', ref('sealed_secret').$notNull().as('secret')])
        .where('user_id', '=', userId)
        .where('source', 'in', [...lastingAccesses.keys()])
        .where('sealed_secret', 'is not', null),
    )
    .execute();
}

/**
 * Ends at the services of banks what they have of a user whose account is deleted. Throws the first
 * failure, after all of it was tried.
 */
export async function leaveBankSources(
  deps: Needed,
  userId: string,
  { provider_users: known, requested_at: since }: Deletion,
): Promise<void> {
  const rows = await deps.database.sql
    .selectFrom('deletion_banks')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  const all = [
    removeUserFromSources(deps, userId, known ?? {}),
    ...rows.map((row) => leaveSource(deps, row, since)),
  ];
  for (const one of await Promise.allSettled(all)) {
    if (one.status === 'rejected') throw one.reason;
  }
}

/**
 * Ends the accesses that a secret opens and deletes its row. Where they cannot be ended, as with a key
 * that is lost, the row waits until the last of them has ended by itself.
 */
async function leaveSource(
  deps: Needed,
  row: Selectable<Schema['deletion_banks']>,
  since: Date,
): Promise<void> {
  const { user_id: userId, source, sealed_secret: sealed } = row;
  const endedByThen = since.getTime() + (lastingAccesses.get(source) ?? 0);
  if (deps.clock.now().getTime() < endedByThen) {
    const bankSource = deps.bankSources.get(source);
    if (!bankSource?.endAccesses) throw new Error(`${source} is not configured any more`);
    const secret = deps.vault.open(sealed, deletedBankSecrets.additionalData(userId, source));
    await bankSource.endAccesses(secret);
  }
  await deps.database.sql
    .deleteFrom('deletion_banks')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .execute();
}
