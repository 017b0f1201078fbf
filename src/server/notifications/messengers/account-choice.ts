import type { Kysely, Transaction } from 'kysely';
import type { AccountChoice } from '../../../shared/contract/messengers.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { notificationErrors } from '../errors.ts';
import { saveAccounts } from './queries.ts';

/**
 * Writes down for every account there is now whether it was chosen, so that one that comes later is
 * known as new. One that its bank hides for a while could not be seen: it stays as it was chosen.
 * Throws `Invalid_Messenger` for an account that is not the user's.
 */
export async function saveChoice(
  transaction: Transaction<Schema>,
  ownerId: string,
  messengerId: string,
  choice: AccountChoice,
): Promise<void> {
  const chosen = new Set(await chosenIds(transaction, ownerId, choice));
  const known = choice.scope === 'all' ? [] : await readAccounts(transaction, ownerId);
  const isKept = ({ id, gone_at: goneAt }: KnownAccount) => goneAt !== null && !chosen.has(id);
  await saveAccounts(transaction, ownerId, messengerId, {
    kept: known.filter(isKept).map(({ id }) => id),
    choices: known
      .filter((account) => !isKept(account))
      .map(({ id }) => ({ accountId: id, included: chosen.has(id) })),
  });
}

/** The accounts that a choice means at this moment. */
export async function chosenIds(
  database: Kysely<Schema>,
  ownerId: string,
  { scope, chosen }: AccountChoice,
): Promise<number[]> {
  const known = (await readAccounts(database, ownerId)).map(({ id }) => id);
  if (scope === 'all') return known;
  const foreign = chosen.filter((id) => !known.includes(id));
  if (foreign.length === 0) return chosen;
  throw new ApiError(notificationErrors.Invalid_Messenger, {
    details: [{ path: '/accounts/chosen', message: "Un de ces comptes n'existe pas ou plus." }],
  });
}

interface KnownAccount {
  id: number;
  gone_at: Date | null;
}

async function readAccounts(database: Kysely<Schema>, ownerId: string): Promise<KnownAccount[]> {
  return await database
    .selectFrom('bank_accounts')
    .select(['id', 'gone_at'])
    .where('user_id', '=', ownerId)
    .where('type', '=', 'checking')
    .execute();
}
