import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { ClientDetails } from '../../providers/banks/connect.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import {
  listAccounts,
  listConnections,
  type StoredAccount,
  type StoredConnection,
} from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { withLink } from '../source-links/with-link.ts';

/**
 * What the button of a connection does: the source asks the bank for newer figures, which are then
 * read. `hasNewerBalances`: an account that is shown has a figure of a later moment than before. Throws
 * Not_Found for a connection whose source has no such button.
 */
export async function refreshByButton(
  deps: Pick<BankingDeps, 'database' | 'vault' | 'clock' | 'bankSources' | 'bankRefreshes'>,
  userId: string,
  id: number,
  clientDetails: ClientDetails,
): Promise<{ connection: StoredConnection; hasNewerBalances: boolean }> {
  const find = async () => (await listConnections(deps, userId)).find((one) => one.id === id);
  const connection = await find();
  if (!connection) throw new ApiError(httpErrors.Not_Found);
  const { source, source_id: sourceId } = connection;
  const before = await shownFigures(deps, userId, id);
  await withLink(deps, userId, source, async (bankSource, link) => {
    if (!bankSource.refreshNow) throw new ApiError(httpErrors.Not_Found);
    await bankSource.refreshNow(link, sourceId, clientDetails).catch(throwUnlessShown);
  });
  await deps.bankRefreshes.refresh(userId, source, clientDetails);
  const renewed = await find();
  if (!renewed) throw new ApiError(httpErrors.Not_Found);
  const after = await shownFigures(deps, userId, id);
  const hasNewerBalances = [...after].some(([account, figure]) =>
    isNewer(figure, before.get(account)),
  );
  return { connection: renewed, hasNewerBalances };
}

type Figure = Pick<StoredAccount, 'updated_at' | 'balance_minor'>;

/** Of a connection's accounts that are shown, by their numbers. */
async function shownFigures(
  deps: Pick<BankingDeps, 'database'>,
  userId: string,
  connectionId: number,
): Promise<Map<number, Figure>> {
  const accounts = (await listAccounts(deps, userId)).filter(
    (one) => one.connection_id === connectionId && one.type === 'checking',
  );
  return new Map(accounts.map((one) => [one.id, one]));
}

/** One without a date is newer where its amount is another one. */
function isNewer(figure: Figure, before: Figure | undefined): boolean {
  if (!figure.updated_at) return figure.balance_minor !== before?.balance_minor;
  return figure.updated_at > (before?.updated_at ?? new Date(0));
}

/** Refused credentials become a state of the connection by the reading that follows. */
function throwUnlessShown(error: unknown): void {
  if (!(error instanceof BankSourceError) || error.kind !== 'credentials') throw error;
}
