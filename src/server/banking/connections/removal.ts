import type { Transaction } from 'kysely';
import { lockUser } from '../../identity/users/queries.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { BankSource } from '../../providers/banks/port.ts';
import { lastingAccesses } from '../../providers/banks/registry.ts';
import type { BankingDeps } from '../deps.ts';
import { bankingErrors } from '../errors.ts';
import { findConnection } from '../refreshing/for-pages.ts';
import {
  changeSecretIn,
  dropLink,
  findLink,
  findReadableLink,
  readLinkIn,
} from '../source-links/queries.ts';
import { isForgotten } from '../source-links/with-link.ts';
import { eraseConnection, passOnAccounts } from './erasing.ts';
import { listSourceIds, type StoredConnection } from './queries.ts';

/** Removes it at its source first, then here. One that does not exist counts as removed. */
export async function removeConnection(
  deps: BankingDeps,
  userId: string,
  id: number,
): Promise<void> {
  const isMeant = (one: StoredConnection) => one.id === id;
  // A page may still show one that the last reading lacked.
  const connection = await findConnection(deps, userId, isMeant, 'with hidden ones');
  if (!connection) return;
  const { source, source_id: sourceId } = connection;
  const shared = await sharedAccountsOf(deps, userId, connection);
  const change = await removeAtSource(deps, userId, connection);
  await eraseConnection(deps, connection, async (transaction) => {
    // Two removals at once come one after the other: the last one ends what no bank needs any more.
    await lockUser(transaction, userId);
    const linked = await listSourceIds(transaction, { userId, source });
    const others = linked.filter((one) => one !== sourceId);
    const bankSource = deps.bankSources.get(source);
    if (!bankSource) return await endUnconfiguredLink(transaction, userId, source, others);
    if (bankSource.credentials !== 'person') return;
    // Credentials that cannot be opened stay sealed as long as another bank is linked by them.
    if (change === 'unreadable' && others.length > 0) return;
    await changeSecretIn(transaction, deps, userId, source, (known) =>
      typeof change === 'function' ? change(known, others) : null,
    );
    await passOnAccounts(transaction, connection, shared);
  });
}

/** Of credentials that cannot be opened nothing is known. */
async function sharedAccountsOf(
  deps: BankingDeps,
  userId: string,
  { source, source_id: sourceId }: StoredConnection,
): Promise<ReadonlyMap<string, string>> {
  const bankSource = deps.bankSources.get(source);
  const link = bankSource ? await findReadableLink(deps, userId, source) : null;
  const shared = link ? await bankSource?.sharedAccounts?.(link, sourceId) : null;
  return shared ?? new Map();
}

async function removeAtSource(
  deps: BankingDeps,
  userId: string,
  { source, source_id: sourceId }: StoredConnection,
): Promise<RemovalChange | 'unreadable'> {
  const bankSource = deps.bankSources.get(source);
  const link = bankSource ? await findLink(deps, userId, source) : null;
  if (!bankSource || !link) return null;
  // The source cannot be told.
  if (link === 'unreadable') return link;
  try {
    return await bankSource.removeConnection(link, sourceId);
  } catch (error) {
    // A user whom the source does not know has no connection there either.
    if (isForgotten(error)) return null;
    throw error;
  }
}

/**
 * Of a source that is not configured any more, the person's own credentials go with the last of their
 * banks. Throws where something else would be left that only the source can end or take apart: the user
 * that it keeps, one access among several, or one that goes on without its credentials.
 */
async function endUnconfiguredLink(
  transaction: Transaction<Schema>,
  userId: string,
  source: string,
  others: string[],
): Promise<void> {
  const link = await readLinkIn(transaction, userId, source);
  if (!link) return;
  const goesOn = link.provider_user_id !== null || lastingAccesses.has(source);
  if (goesOn || others.length > 0) {
    const message =
      "Le service qui relie cette banque n'est plus configuré ici\u202f: elle ne peut pas être supprimée pour le moment. Prévenez l'administrateur.";
    throw new ApiError(bankingErrors.Bank_Unavailable, { message });
  }
  await dropLink(transaction, userId, source);
}

type RemovalChange = Awaited<ReturnType<BankSource['removeConnection']>>;
