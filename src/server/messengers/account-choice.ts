import type { Kysely, Transaction } from 'kysely';
import type { AccountChoice } from '../../shared/contract/messengers.ts';
import type { Schema } from '../database/schema.ts';
import { Refusal } from '../errors/refusal.ts';
import { saveAccounts } from './queries.ts';

/**
 * Writes down for every account there is now whether it was chosen, so that one that comes later is
 * known as new. Throws `Invalid_Messenger` for an account that is not the user's.
 */
export async function saveChoice(
  transaction: Transaction<Schema>,
  ownerId: string,
  messengerId: string,
  choice: AccountChoice,
): Promise<void> {
  const chosen = new Set(await chosenIds(transaction, ownerId, choice));
  const known = choice.scope === 'all' ? [] : await accountIds(transaction, ownerId);
  await saveAccounts(
    transaction,
    ownerId,
    messengerId,
    known.map((accountId) => ({ accountId, included: chosen.has(accountId) })),
  );
}

/** The accounts that a choice means at this moment. */
export async function chosenIds(
  database: Kysely<Schema>,
  ownerId: string,
  { scope, chosen }: AccountChoice,
): Promise<number[]> {
  const known = await accountIds(database, ownerId);
  if (scope === 'all') return known;
  const foreign = chosen.filter((id) => !known.includes(id));
  if (foreign.length === 0) return chosen;
  throw new Refusal('Invalid_Messenger', {
    details: [{ path: '/accounts/chosen', message: 'Un de ces comptes n’existe pas ou plus.' }],
  });
}

async function accountIds(database: Kysely<Schema>, ownerId: string): Promise<number[]> {
  const rows = await database
    .selectFrom('bank_accounts')
    .select('id')
    .where('user_id', '=', ownerId)
    .where('type', '=', 'checking')
    .execute();
  return rows.map(({ id }) => id);
}
